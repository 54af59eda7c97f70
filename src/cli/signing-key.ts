// src/cli/signing-key.ts — the private key of a data directory that signs the JWTs of accounts.
import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject, randomUUID } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from '../engine/fault.ts'
import { makeDirectory } from '../store/make-directory.ts'
import { Failure } from './failure.ts'

/** Minimum of RS256, and sufficient for the lifetime of the tokens. */
const MODULUS_BITS = 2048
const KID_LENGTH = 16

/** Path of the key: a PEM file that only its owner may read. */
export function signingKeyFile(directory: string): string {
  return join(directory, 'token-key.pem')
}

/**
 * Reads the key, or creates it when there is none. Concurrent calls get the same key.
 * @throws Failure when the file holds no RSA private key; Fault `store_unwritable` when it can be neither read nor created
 */
export async function signingKey(directory: string): Promise<KeyObject> {
  const file = signingKeyFile(directory)
  try {
    const pem = (await readIfThere(file)) ?? (await makeKey(directory, file))
    return privateKeyOf(pem, file)
  } catch (error) {
    if (error instanceof Failure || error instanceof Fault) throw error
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

/** Returns the public key with its `kid`. Creates the key when there is none; throws like `signingKey`. */
export async function gatewayKey(directory: string): Promise<{ readonly kid: string; readonly key: KeyObject }> {
  const key = createPublicKey(await signingKey(directory))
  return { kid: kidOf(key), key }
}

/** Returns the `kid` of a key, a hash of its public half. */
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
  makeDirectory(directory)
  const draft = `${file}.${randomUUID()}`
  await writeDurably(draft, privateKey)
  try {
    // Linking is atomic, and fails instead of replacing a key that another process has just created.
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
    // OpenSSL's message names neither the file nor a remedy.
  }
  throw new Failure(`${file} holds no RSA private key; restore it, or remove the file to create a new key.`)
}
