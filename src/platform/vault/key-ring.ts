// src/platform/vault/key-ring.ts — the master keys of the vault: the first one seals, older ones still open.
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import { type MasterKey, masterKeyOf } from './sealing.ts'

export interface KeyRing {
  /** The key that seals new entries. */
  readonly current: MasterKey
  /** Finds a key by its version. Null when it is not on this ring. */
  of(version: string): MasterKey | null
  readonly versions: readonly string[]
}

/** How long the keys of a file are cached, in milliseconds. A running gateway sees a new key within this time. */
const BELIEVED_MS = 1_000
const KEY_BYTES = 32
/** 32 bytes in base64. */
const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/

/** Creates a ring of keys that do not change. @throws Error without keys */
export function fixedRing(keys: readonly Uint8Array[]): KeyRing {
  const masters = keys.map(masterKeyOf)
  const [current] = masters
  if (current === undefined) throw new Error('a key ring must have a key')
  return {
    current,
    of: version => masters.find(master => master.version === version) ?? null,
    versions: masters.map(({ version }) => version),
  }
}

/**
 * Opens the ring in a file, one key a line. The file is read again when the cache has expired or a key is unknown, because
 * `tollgate vault rotate` may change it. A later read error leaves the known keys.
 * @throws Fault `vault_key_missing` when the file cannot be read at first
 */
export function ringInFile(file: string, clock: Clock): KeyRing {
  let ring = fixedRing(readKeyFile(file))
  let readAt = clock.now()
  const look = (atOnce: boolean): void => {
    if (!atOnce && clock.now() - readAt < BELIEVED_MS) return
    readAt = clock.now()
    try {
      ring = fixedRing(readKeyFile(file))
    } catch {
      // The known keys stay in use. Opening an entry of another key fails with its own error.
    }
  }
  return {
    get current() {
      look(false)
      return ring.current
    },
    of(version) {
      if (ring.of(version) === null) look(true)
      return ring.of(version)
    },
    get versions() {
      look(false)
      return ring.versions
    },
  }
}

/** Reads the keys of a file, the current one first. @throws Fault `vault_key_missing` when it holds anything else */
function readKeyFile(file: string): readonly Uint8Array[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .split(/[\s,]+/)
      .filter(line => line !== '')
    if (lines.length === 0 || !lines.every(line => KEY_TEXT.test(line))) throw new Error('not keys in base64')
    return lines.map(line => Buffer.from(line, 'base64'))
  } catch (error) {
    throw new Fault('vault_key_missing', { detail: file, cause: error })
  }
}

/**
 * Creates the file with a new key if it does not exist. Only its owner can read it. Concurrent calls create one file.
 * @throws Fault `store_unwritable`
 */
export function ensureKeyFile(file: string, random: Random): void {
  // Its parents exist: the store has opened the data directory before.
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
  const draft = writeDraft(file, [random.bytes(KEY_BYTES)], random)
  try {
    // Linking is atomic and never replaces an existing file.
    linkSync(draft, file)
    syncDirectoryOf(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new Fault('store_unwritable', { detail: file, cause: error })
  } finally {
    unlinkSync(draft)
  }
}

/** Adds a new current key. Returns its version. @throws Fault `store_unwritable`, `vault_key_missing` */
export function addKey(file: string, random: Random): string {
  const fresh = random.bytes(KEY_BYTES)
  replaceKeys(file, [fresh, ...readKeyFile(file)], random)
  return masterKeyOf(fresh).version
}

/** Removes keys, never the current one. @throws Fault `store_unwritable`, `vault_key_missing` */
export function removeKeys(file: string, versions: ReadonlySet<string>, random: Random): void {
  const [current, ...older] = readKeyFile(file)
  if (current === undefined) return
  replaceKeys(file, [current, ...older.filter(key => !versions.has(masterKeyOf(key).version))], random)
}

/**
 * Replaces the keys by an atomic rename, so a crash leaves either the old keys or the new ones. The file is durable before
 * anything is sealed with a new key. Owner and mode stay, so that the gateway can read it when another user rotates.
 */
function replaceKeys(file: string, keys: readonly Uint8Array[], random: Random): void {
  const draft = writeDraft(file, keys, random)
  try {
    const { uid, gid, mode } = statSync(file)
    const made = statSync(draft)
    if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid)
    chmodSync(draft, mode & 0o777)
    renameSync(draft, file)
    syncDirectoryOf(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

/** Syncs the directory, which makes a new name durable. Windows cannot open directories and does not need it. */
function syncDirectoryOf(file: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(dirname(file), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeDraft(file: string, keys: readonly Uint8Array[], random: Random): string {
  const draft = `${file}.${random.uuid()}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, keys.map(key => `${Buffer.from(key).toString('base64')}\n`).join(''))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return draft
  } catch (error) {
    throw new Fault('store_unwritable', { detail: draft, cause: error })
  }
}
