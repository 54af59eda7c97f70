// src/peers/nexo-terminal/encryption.ts — encrypts and decrypts terminal messages with the provider's own library, which knows nothing of ours.
// Only these files of it: the whole library takes two seconds to load.
import cryptoFile from '@adyen/api-library/lib/src/security/nexoCrypto.js'
import generatorFile from '@adyen/api-library/lib/src/security/nexoDerivedKeyGenerator.js'

const NexoCrypto = classIn(cryptoFile)
const generator = classIn(generatorFile)

// The library derives the key for each message, which takes 60 ms. Once for each passphrase is enough.
const derive = generator.deriveKeyMaterial.bind(generator)
const derived = new Map<string, ReturnType<typeof derive>>()
generator.deriveKeyMaterial = passphrase => {
  const key = derived.get(passphrase) ?? derive(passphrase)
  derived.set(passphrase, key)
  return key
}

export interface LibraryKey {
  readonly identifier: string
  readonly version: number
  readonly passphrase: string
}

const keyOf = ({ identifier, version, passphrase }: LibraryKey) => ({
  ...{ AdyenCryptoVersion: 1, KeyIdentifier: identifier, KeyVersion: version, Passphrase: passphrase },
})

/** The encrypted form of a whole message. @param message with its envelope and header */
export function encryptedByLibrary(message: Readonly<Record<string, object>>, key: LibraryKey): string {
  const [[envelope, content] = ['', {}]] = Object.entries(message)
  const { MessageHeader } = content as { readonly MessageHeader: never }
  const secured = NexoCrypto.encrypt(MessageHeader, JSON.stringify(message), keyOf(key))
  return JSON.stringify({ [envelope]: secured })
}

/** The plain message in an encrypted one. @throws Error when the MAC is wrong */
export function decryptedByLibrary(text: string, key: LibraryKey): unknown {
  const [secured] = Object.values(JSON.parse(text) as Record<string, never>)
  if (secured === undefined) throw new Error('no envelope')
  return JSON.parse(new NexoCrypto().decrypt(secured, keyOf(key)))
}

/** The class that a file of the library exports. Node gives all its exports, other loaders the class itself. */
function classIn<Class>(file: { readonly default: Class }): Class {
  return file.default ?? (file as unknown as Class)
}
