// src/platform/vault/key-ring.ts — the master keys: the first one seals, the others open what was sealed before them.
import {
  chmodSync,
  chownSync,
  closeSync,
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
  /** Seals from now on. */
  readonly current: MasterKey
  /** Null: not on this ring. */
  of(version: string): MasterKey | null
  readonly versions: readonly string[]
}

/** A running gateway sees within this time that another process has put a new key on the ring. Milliseconds. */
const BELIEVED_MS = 1_000
const KEY_BYTES = 32
/** 32 bytes in base64. */
const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/

/** A ring of keys that do not change while the process runs. */
export function fixedRing(keys: readonly Uint8Array[]): KeyRing {
  const masters = keys.map(masterKeyOf)
  const [current] = masters
  if (current === undefined) throw new Error('a key ring has a key')
  return {
    current,
    of: version => masters.find(master => master.version === version) ?? null,
    versions: masters.map(({ version }) => version),
  }
}

/**
 * The ring in a file, a key a line. It is read again now and then, because `tollgate vault rotate` changes it beside a
 * running gateway; a file that cannot be read meanwhile changes nothing.
 * @throws Fault `vault_key_missing` when it cannot be read at first.
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
      // The keys that are known go on; what they cannot open says so itself.
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

/** The keys of a file, the one in use first. @throws Fault `vault_key_missing` when it holds anything else. */
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

/** Makes the file with one fresh key where there is none; only its owner can read it. Whoever comes second gets the first. */
export function ensureKeyFile(file: string, random: Random): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = writeDraft(file, [random.bytes(KEY_BYTES)], random)
  try {
    // A link appears whole or not at all, and never in place of a file that is there.
    linkSync(draft, file)
    syncDirectoryOf(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new Fault('store_unwritable', { detail: file, cause: error })
  } finally {
    unlinkSync(draft)
  }
}

/** Puts a fresh key before the others. Returns its version. @throws Fault `store_unwritable`, `vault_key_missing`. */
export function addKey(file: string, random: Random): string {
  const fresh = random.bytes(KEY_BYTES)
  replaceKeys(file, [fresh, ...readKeyFile(file)], random)
  return masterKeyOf(fresh).version
}

/** Takes keys off the ring, never the one in use. */
export function removeKeys(file: string, versions: ReadonlySet<string>, random: Random): void {
  const [current, ...older] = readKeyFile(file)
  if (current === undefined) return
  replaceKeys(file, [current, ...older.filter(key => !versions.has(masterKeyOf(key).version))], random)
}

/**
 * A rename shows the old keys or the new ones, whenever the machine dies. It is on disk before anything is sealed with a
 * new key, and the gateway can read the file as before, whoever has called for the rotation.
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

/** A new name is durable when its directory is. Windows opens no directories, and needs it not. */
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
