// src/cli/signing-key.ts — the private key that signs the JWTs of accounts: a file in the data directory, or on Postgres sealed
// by the vault in the database.
import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject, randomUUID } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from '../engine/fault.ts'
import type { Key } from '../engine/ports/store.ts'
import { VAULT_ACCOUNT, type VaultKind } from '../platform/vault/entries.ts'
import { keptText, openEntry, type VaultParts } from '../platform/vault/vault.ts'
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

const IN_DATABASE: Key = { account: VAULT_ACCOUNT, kind: 'vault-signing' satisfies VaultKind, id: 'token-key' }

/**
 * Reads the key of a gateway on Postgres, or creates it. A key in the data directory is taken over at the first start, so that
 * JWTs of a gateway that was on SQLite stay valid.
 * @throws Failure when the data directory has another key than the database; Fault `vault_key_wrong`
 */
export async function databaseSigningKey(vault: VaultParts, directory: string): Promise<KeyObject> {
  const file = signingKeyFile(directory)
  const inDirectory = await readIfThere(file)
  const pem = await keptText(vault, IN_DATABASE, async () => inDirectory ?? (await newKey()))
  const key = createPrivateKey(pem)
  if (inDirectory === null) return key
  const other = kidOf(privateKeyOf(inDirectory, file))
  if (other !== kidOf(key))
    throw new Failure(
      `${file} is key ${other}, and the gateway of this database signs JWTs with key ${kidOf(key)}; ` +
        'move the file away, or name the data directory of that gateway.',
    )
  return key
}

/** Whether a database has a signing key. @throws Fault `vault_key_wrong` when no key on the ring opens it */
export async function hasSigningKey(vault: VaultParts): Promise<boolean> {
  return (await openEntry(vault, IN_DATABASE)) !== null
}

/** Returns the public key with its `kid`. */
export function publicKeyOf(key: KeyObject): { readonly kid: string; readonly key: KeyObject } {
  const publicKey = createPublicKey(key)
  return { kid: kidOf(publicKey), key: publicKey }
}

/** Returns the `kid` of a key, a hash of its public half. */
export function kidOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, KID_LENGTH)
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return privateKey
}

async function makeKey(directory: string, file: string): Promise<string> {
  const privateKey = await newKey()
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
