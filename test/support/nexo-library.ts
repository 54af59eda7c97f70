// test/support/nexo-library.ts — encrypts and decrypts terminal messages with the provider's own library, which knows nothing of ours.
import { createRequire } from 'node:module'

// Only this file of it: the whole library takes two seconds to load.
type Library = typeof import('@adyen/api-library/lib/src/security/nexoCrypto.js')
const { default: NexoCrypto } = createRequire(import.meta.url)(
  '@adyen/api-library/lib/src/security/nexoCrypto.js',
) as Library

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
