// src/cli/restore.ts — `tollgate restore`: checks a backup and puts it into an empty data directory.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { openForReading } from '../store/sqlite/database.ts'
import { faultOf } from '../store/sqlite/faults.ts'
import { takeGatewayLock } from '../store/sqlite/gateway-lock.ts'
import { faultsIn, NEWEST_SCHEMA, schemaOf } from '../store/sqlite/inspection.ts'
import { moveCursors } from '../store/sqlite/later-cursors.ts'
import { DATABASE, DATABASES, KEYS, MODE } from './backup/contents.ts'
import { copyDurably, digestOf, syncDirectory } from './backup/durable-files.ts'
import { damaged, type Manifest, readManifest } from './backup/manifest.ts'
import { type Progress, progressOf } from './backup/progress.ts'
import { claimDirectory } from './data-mode.ts'
import { isGatewayRunning } from './doctor/gateway-checks.ts'
import { Failure } from './failure.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate restore /var/backups/tollgate/2026-05-06 --data /var/lib/tollgate
  TOLLGATE_MODE=live tollgate restore /mnt/safe/2026-05-06
The data directory must be empty, except for keys that the backup does not hold. The backup is checked before anything is
written. Payments that were made after the backup are unknown to the restored gateway: compare with the acquirer first.`

/** What to do instead. */
const ON_POSTGRES =
  'This gateway is on Postgres: restore what pg_dump made with psql or pg_restore into an empty database, and bring the vault ' +
  'keys (TOLLGATE_VAULT_KEY or its file) and the data directory; to restore a backup of SQLite, unset DATABASE_URL.'

type Options = SettingsOptions & { readonly json?: true }
type BackupFile = Manifest['files'][number]

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command, 'data', 'mode')
    .argument('<directory>', 'directory of the backup')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((directory: string, options: Options) => restore(shell, resolve(directory), options))
}

async function restore(shell: Shell, backup: string, options: Options): Promise<void> {
  const config = configOf(shell, options)
  if (config.database !== null) throw new Failure(ON_POSTGRES)
  const { dataDirectory } = config
  const manifest = readManifest(backup)
  if (manifest.mode !== config.mode)
    throw new Failure(
      `${backup} is of a gateway in ${manifest.mode} mode; restore it with TOLLGATE_MODE=${manifest.mode}, or choose another.`,
    )
  if (isGatewayRunning(dataDirectory))
    throw new Failure(`A gateway runs on ${dataDirectory}; stop it, or name another directory with --data.`)
  refuseUsed(dataDirectory, manifest)
  const progress = progressOf(shell, 'nothing was restored')
  for (const file of manifest.files) await verify(backup, file, progress)
  await restoreInto(config, backup, manifest, progress)
  // A file of the directory, or a setting.
  const missing = manifest.keysApart.filter(name => !existsSync(join(dataDirectory, name)) && !shell.env[name])
  const warning =
    `Payments after ${manifest.takenAt} are known to acquirers and terminals and not to this gateway: compare its payments ` +
    'with theirs before tills and shops use it.'
  if (options.json) return printJson(shell, { ...manifest, restored: dataDirectory, keysMissing: missing, warning })
  print(shell, `${dataDirectory} is restored as of ${manifest.takenAt}: ${manifest.records} records.`)
  if (missing.length > 0)
    print(shell, `Not in the backup, and needed before the gateway starts: ${missing.join(', ')}.`)
  shell.stderr.write(`tollgate: Warning: ${warning}\n`)
}

/** Always empty, and never deleted where a gateway may be. */
const LOCK = 'tollgate.lock'
/** What an empty directory may hold. A new volume has its `lost+found`; the second is there while the lock is held. */
const IGNORED: ReadonlySet<string> = new Set(['lost+found', `${LOCK}-journal`, LOCK])

/** @throws Failure when the directory holds anything but keys that the backup lacks */
function refuseUsed(directory: string, { files }: Manifest): void {
  const brought = new Set(files.map(({ name }) => name))
  const mayStay = (name: string) => IGNORED.has(name) || (KEYS.some(key => key === name) && !brought.has(name))
  const [first] = namesIn(directory).filter(name => !mayStay(name))
  if (first !== undefined)
    throw new Failure(
      `${directory} is not empty (${first}); name an empty directory with --data, or move its files away.`,
    )
}

function namesIn(directory: string): readonly string[] {
  try {
    return existsSync(directory) ? readdirSync(directory) : []
  } catch (error) {
    throw new Failure(`${directory} is not a directory that can be read; name another with --data.`, { cause: error })
  }
}

/** @throws Failure unless the file is the one that was backed up, and intact if it is a database */
async function verify(backup: string, { name, bytes, sha256 }: BackupFile, progress: Progress): Promise<void> {
  const file = join(backup, name)
  const digest = await digestOf(file, done => progress.bytes(`checking ${name}`, done, bytes)).catch(error => {
    // Only of the file system: a stop goes on as it is.
    throw error instanceof Failure ? error : new Failure(damaged(file), { cause: error })
  })
  if (digest.bytes !== bytes || digest.sha256 !== sha256) throw new Failure(damaged(file))
  if (DATABASES.sandbox.includes(name) && !isIntact(file, name)) throw new Failure(damaged(file))
}

function isIntact(file: string, name: string): boolean {
  try {
    const database = openForReading(file)
    try {
      const schema = name === DATABASE ? schemaOf(database) : 0
      return schema !== null && schema <= NEWEST_SCHEMA && faultsIn(database).length === 0
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

/**
 * Places the files under the lock of the directory. The mode comes first and the database last: a gateway that finds a mode
 * without a database does not start, so a restore that was killed is not taken for a whole one. A failure removes everything.
 */
async function restoreInto(config: Config, backup: string, manifest: Manifest, progress: Progress): Promise<void> {
  const { dataDirectory } = config
  const existed = existsSync(dataDirectory)
  try {
    const lock = takeGatewayLock(dataDirectory)
    try {
      refuseUsed(dataDirectory, manifest)
      await copyFiles(config, backup, manifest, progress)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (!existed && namesIn(dataDirectory).every(name => IGNORED.has(name)))
      rmSync(dataDirectory, { recursive: true, force: true })
    throw faultOf(error, dataDirectory)
  }
}

async function copyFiles(
  config: Config,
  backup: string,
  { files, takenAt }: Manifest,
  progress: Progress,
): Promise<void> {
  const { dataDirectory } = config
  const ageMs = systemClock().now() - Date.parse(takenAt)
  const others = files.filter(({ name }) => name !== MODE && name !== DATABASE)
  const last = files.filter(({ name }) => name === DATABASE)
  try {
    claimDirectory(config)
    for (const { name, bytes, sha256 } of [...others, ...last]) {
      const draft = join(dataDirectory, `${name}.draft`)
      const copied = await copyDurably(join(backup, name), draft, done =>
        progress.bytes(`copying ${name}`, done, bytes),
      )
      if (copied.sha256 !== sha256) throw new Failure(damaged(join(backup, name)))
      if (name === DATABASE) moveCursors(draft, ageMs)
      renameSync(draft, join(dataDirectory, name))
    }
    syncDirectory(dataDirectory)
  } catch (error) {
    // None of these was here before.
    for (const { name } of files)
      for (const left of [`${name}.draft`, name]) rmSync(join(dataDirectory, left), { force: true })
    throw error
  }
}
