// src/cli/backup.ts — `tollgate backup`: copies a data directory, beside a running gateway.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import { systemClock } from '../platform/clock.ts'
import { makeDirectory } from '../store/make-directory.ts'
import { openForReading } from '../store/sqlite/database.ts'
import { faultOf } from '../store/sqlite/faults.ts'
import { type Counted, countIn, faultsIn, NEWEST_SCHEMA, schemaOf } from '../store/sqlite/inspection.ts'
import { copyAtOneMoment, type OnlineCopy } from '../store/sqlite/online-copy.ts'
import { DATABASE, DATABASES, KEYS, keysApart, MODE, PLAIN_FILES, presentIn } from './backup/contents.ts'
import { copyDurably, digestOf, syncDirectory, writeDurably } from './backup/durable-files.ts'
import { MANIFEST, type Manifest, manifestOf } from './backup/manifest.ts'
import { type Progress, progressOf } from './backup/progress.ts'
import { tableOf } from './columns.ts'
import { directoryMode, refuseDatabaseNote, refuseLostDatabase, refuseNoDatabase } from './data-mode.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'
import { programVersion } from './version.ts'

const EXAMPLES = `
Examples:
  tollgate backup /var/backups/tollgate/2026-05-06
  tollgate backup /mnt/safe/2026-05-06 --with-keys --json
A gateway may run meanwhile. The directory must not exist; it appears when the backup is complete and checked. It holds
everything that was answered before the command began. Without --with-keys the keys are not in it: keep copies of them apart.`

/** What to do instead. */
const ON_POSTGRES =
  'This gateway is on Postgres: back it up with pg_dump or the tools of the database, and keep the vault keys ' +
  '(TOLLGATE_VAULT_KEY or its file) and the data directory apart from it.'

type Options = SettingsOptions & { readonly json?: true; readonly withKeys?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command, 'data', 'mode')
    .argument('<directory>', 'a new directory for the backup')
    .option(
      '--with-keys',
      'also copy the keys in the data directory: whoever has the backup can then read its card data',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((directory: string, options: Options) => backUp(shell, resolve(directory), options))
}

async function backUp(shell: Shell, target: string, options: Options): Promise<void> {
  const config = configOf(shell, options)
  if (config.database !== null) throw new Failure(ON_POSTGRES)
  refuseDatabaseNote(config)
  refuseLostDatabase(config)
  refuseNoDatabase(config)
  if (existsSync(target)) throw new Failure(`${target} exists already; name a directory that does not.`)
  const progress = progressOf(shell, 'there is no backup')
  const manifest = await madeAt(target, draft => fill(draft, config, options, progress))
  if (options.json) return printJson(shell, { backup: target, ...manifest })
  const { takenAt, version, mode, schema, records, events, files, keysApart } = manifest
  print(shell, `${target} is complete and checked.`)
  print(shell, `  as of     ${takenAt}`)
  print(shell, `  gateway   ${version}, ${mode} mode, schema ${schema}`)
  print(shell, `  contents  ${records} records with ${events} events`)
  print(shell)
  print(
    shell,
    tableOf(
      ['File', 'Bytes', 'SHA-256'],
      files.map(({ name, bytes, sha256 }) => [name, String(bytes), sha256]),
    ),
  )
  if (keysApart.length > 0)
    print(shell, `\nNot in it: ${keysApart.join(', ')}. Keep copies of these apart from the backup.`)
}

/** Fills a draft beside the target and renames it, so that a crash leaves the whole backup under its name or none. */
async function madeAt(target: string, fill: (draft: string) => Promise<Manifest>): Promise<Manifest> {
  let draft: string | null = null
  try {
    makeDirectory(dirname(target))
    draft = mkdtempSync(`${target}.draft-`)
    const manifest = await fill(draft)
    renameSync(draft, target)
    syncDirectory(dirname(target))
    return manifest
  } catch (error) {
    if (draft !== null) rmSync(draft, { recursive: true, force: true })
    throw faultOf(error, target)
  }
}

async function fill(draft: string, config: Config, { withKeys }: Options, progress: Progress): Promise<Manifest> {
  const { dataDirectory } = config
  const mode = directoryMode(config)
  const schema = knownSchemaOf(join(dataDirectory, DATABASE))
  const databases = presentIn(dataDirectory, DATABASES[mode])
  const takenAt = await copyDatabases(
    databases.map(name => ({ from: join(dataDirectory, name), to: join(draft, name) })),
    progress,
  )
  // After the moment: a rotation writes a new key before it uses it.
  const keys = withKeys ? presentIn(dataDirectory, KEYS) : []
  const plain = presentIn(dataDirectory, PLAIN_FILES)
  for (const name of [...plain, ...keys]) await copyDurably(join(dataDirectory, name), join(draft, name), () => {})
  // A directory that only the command line has used so far.
  if (!plain.includes(MODE)) await writeDurably(join(draft, MODE), `${mode}\n`)
  const counted = databases.map(name => checked(draft, dataDirectory, name, progress))[0] ?? { records: 0, events: 0 }
  const manifest = manifestOf({
    ...{ version: programVersion(), schema, mode, takenAt: isoTime(takenAt), ...counted },
    files: await digestsOf(draft, [...databases, ...new Set([MODE, ...plain]), ...keys], progress),
    keysApart: [...keysApart(config, keys)],
  })
  await writeDurably(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  syncDirectory(draft)
  return manifest
}

/** Returns the time of the moment that the copies show, epoch milliseconds. */
async function copyDatabases(copies: readonly OnlineCopy[], progress: Progress): Promise<number> {
  const clock = systemClock()
  let takenAt = clock.now()
  const watch = {
    onMoment: () => (takenAt = clock.now()),
    onProgress: ({ to }: OnlineCopy, bytes: number, of: number) => progress.bytes(`copying ${basename(to)}`, bytes, of),
  }
  await copyAtOneMoment(copies, watch).catch(error => {
    // A full disk is that of the backup; whatever else SQLite says is about the database.
    const fault = faultOf(error, copies[0]?.from ?? '')
    throw fault instanceof Fault && fault.code !== 'store_unwritable' ? fault : error
  })
  return takenAt
}

/** @throws Fault `store_broken` for a foreign database, `store_newer` */
function knownSchemaOf(file: string): number {
  const schema = inspect(file, schemaOf)
  if (schema === null) throw new Fault('store_broken', { detail: file })
  if (schema > NEWEST_SCHEMA) throw new Fault('store_newer', { detail: file })
  return schema
}

/** Checks a copy, page by page like the original. @throws Fault `store_broken` that names the original */
function checked(draft: string, dataDirectory: string, name: string, progress: Progress): Counted | null {
  progress.phase(`checking ${name}`)
  return inspect(join(draft, name), database => {
    if (faultsIn(database).length > 0) throw new Fault('store_broken', { detail: join(dataDirectory, name) })
    return name === DATABASE ? countIn(database) : null
  })
}

function inspect<T>(file: string, look: (database: Database) => T): T {
  let database: Database | null = null
  try {
    database = openForReading(file)
    return look(database)
  } catch (error) {
    throw faultOf(error, file)
  } finally {
    database?.close()
  }
}

async function digestsOf(draft: string, names: readonly string[], progress: Progress): Promise<Manifest['files']> {
  const files: Manifest['files'] = []
  for (const name of names) {
    const digest = await digestOf(join(draft, name), () => progress.phase(`reading ${name}`))
    files.push({ name, ...digest })
  }
  return files
}
