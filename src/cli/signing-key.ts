// src/cli/signing-key.ts — the private key of a data directory, with which the gateway signs the JWTs of its accounts.
import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from '../engine/fault.ts'
import { Failure } from './failure.ts'

/** What RS256 asks for at least, and enough for as long as these tokens live. */
const MODULUS_BITS = 2048
const KID_LENGTH = 16

/** Where the key lies: a PEM that only its owner may read. */
export function signingKeyFile(directory: string): string {
  return join(directory, 'token-key.pem')
}

/**
 * Reads the key, or makes it where there is none. Whoever asks at the same time gets the same key.
 * @throws Failure when the file holds no private key; Fault `store_unwritable` when it can be neither read nor made.
 */
export async function signingKey(directory: string): Promise<KeyObject> {
  const file = signingKeyFile(directory)
  try {
    const pem = (await readIfThere(file)) ?? (await makeKey(directory, file))
    return privateKeyOf(pem, file)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

/** The public half, under the name that tokens bear in their header. */
export async function gatewayKey(directory: string): Promise<{ readonly kid: string; readonly key: KeyObject }> {
  const key = createPublicKey(await signingKey(directory))
  return { kid: kidOf(key), key }
}

/** Name of a key: a hash of it, so that a new key has a new name. */
export function kidOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, KID_LENGTH)
}

async function makeKey(directory: string, file: string): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  await writeDurably(draft, privateKey)
  try {
    // A link appears whole or not at all, and never in place of a key that somebody else has just made.
    await link(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return readFile(file, 'utf8')
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function privateKeyOf(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // What OpenSSL says of it names neither the file nor a way out.
  }
  throw new Failure(`${file} holds no RSA private key; put the right one back, or remove it to have a new one made.`)
}
