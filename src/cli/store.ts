// src/cli/store.ts — `tollgate store copy`: moves a whole gateway between a data directory and Postgres.
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { copyStore, stampOf } from '../store/copy/copy-store.ts'
import { withDatabase } from '../store/copy/postgres-database.ts'
import { withPostgresSource } from '../store/copy/postgres-source.ts'
import { openPostgresTarget } from '../store/copy/postgres-target.ts'
import { type CopiedSection, CopyProblem, type CopySource, type CopyTarget, inSentence } from '../store/copy/sides.ts'
import { withSqliteSource } from '../store/copy/sqlite-source.ts'
import { withSqliteTarget } from '../store/copy/sqlite-target.ts'
import { NEWEST_SCHEMA } from '../store/sqlite/inspection.ts'
import { progressOf } from './backup/progress.ts'
import { tableOf } from './columns.ts'
import {
  claimDirectory,
  forgetDatabase,
  notedMode,
  refuseDatabaseNote,
  refuseLostDatabase,
  refuseNoDatabase,
} from './data-mode.ts'
import { Failure } from './failure.ts'
import { print, printJson, type Shell } from './shell.ts'
import { copyWorld } from './store/copy-world.ts'
import { modeIn, recordOfMode } from './store/mode-record.ts'
import { type Place, placeOf, refuseSame } from './store/places.ts'
import { takeAlong } from './store/take-along.ts'

const EXAMPLES = `
Examples:
  tollgate store copy --from /var/lib/tollgate --to postgres://tollgate@localhost/tollgate
  tollgate store copy --from env:DATABASE_URL --to /var/lib/tollgate
Stop the gateway first: neither side may be in use. The target must be empty. Each row is compared at the end, and no gateway
starts on the target before that. If the command is stopped, run it again: it goes on. env:NAME reads a URL from the
environment, so that its password is not in the list of processes.`

const WARNING = 'start the gateway on the copy only. Two gateways that go on from one state both take payments.'

interface Options {
  readonly from: string
  readonly to: string
  readonly json?: true
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('copy')
    .description('Copy a stopped gateway into an empty store, and compare each row.')
    .requiredOption('--from <store>', 'data directory or postgres:// URL of the gateway')
    .requiredOption('--to <store>', 'data directory or postgres:// URL of the copy')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => copy(shell, options))
}

interface Copied {
  readonly from: string
  readonly to: string
  /** Null when no gateway has fixed it yet. */
  readonly mode: Config['mode'] | null
  readonly sections: readonly CopiedSection[]
}

async function copy(shell: Shell, options: Options): Promise<void> {
  const from = placeOf(shell, options.from, '--from')
  const to = placeOf(shell, options.to, '--to')
  refuseSame(from, to)
  const copied = await copyBetween(shell, from, to).catch(error => {
    throw error instanceof CopyProblem ? new Failure(error.message, { cause: error }) : error
  })
  const world = await copyWorld(from, to)
  const files = takeAlong(from, to, copied.mode)
  const { sections, mode } = copied
  if (options.json) return printJson(shell, { ...copied, schema: NEWEST_SCHEMA, takeAlong: files, warning: WARNING })
  print(shell, `${copied.to} holds the whole gateway of ${inSentence(copied.from)}; each row was compared.`)
  print(shell, `  gateway  ${mode === null ? '' : `${mode} mode, `}schema ${NEWEST_SCHEMA}\n`)
  print(
    shell,
    tableOf(
      ['Rows of', 'Number', 'SHA-256'],
      sections.map(({ name, rows, sha256 }) => [name, String(rows), sha256]),
    ),
  )
  if (world > 0) print(shell, `\nThe simulated world of the sandbox was copied too: ${world} documents.`)
  if (files.length > 0) print(shell, `\nNot copied, because it is not in the database: ${files.join(', ')}.`)
  shell.stderr.write(`tollgate: Warning: ${WARNING}\n`)
}

function copyBetween(shell: Shell, from: Place, to: Place): Promise<Copied> {
  const progress = progressOf(shell, 'the copy is unfinished; run the same command again to go on')
  const onRows = (phase: string, section: string, rows: number, of: number) =>
    progress.phase(`${phase} ${section}: ${rows} of ${of} rows`)
  return withSource(from, async source => {
    const mode = from.type === 'directory' ? notedMode(from.path) : await modeIn(source)
    refuseOtherMode(to, mode)
    progress.phase('looking for what is copied already')
    const stamp = await stampOf(source)
    return withTarget(to, { stamp, mode }, async target => {
      const sections = await copyStore(source, target, { onRows })
      return { from: source.where, to: target.where, mode, sections }
    })
  })
}

/** Opens the source alone. */
function withSource<T>(place: Place, work: (source: CopySource) => Promise<T>): Promise<T> {
  if (place.type === 'database')
    return withDatabase(place.address, systemClock(), connections => withPostgresSource(connections, work))
  const config = { dataDirectory: place.path }
  refuseDatabaseNote(config)
  refuseNoDatabase(config)
  refuseLostDatabase(config)
  return withSqliteSource(place.path, work)
}

interface Begun {
  readonly stamp: string
  readonly mode: Copied['mode']
}

/** Opens the target alone. The mode comes with the copy, so that a lost setting does not open a sandbox among real accounts. */
function withTarget<T>(place: Place, { stamp, mode }: Begun, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  const clock = systemClock()
  if (place.type === 'database') {
    const added = mode === null ? null : recordOfMode(mode, clock.now())
    return withDatabase(place.address, clock, async connections =>
      work(await openPostgresTarget(connections, stamp, added)),
    )
  }
  return withSqliteTarget(place.path, stamp, async target => {
    if (mode !== null) claimDirectory({ dataDirectory: place.path, mode })
    const copied = await work(target)
    forgetDatabase(place.path)
    return copied
  })
}

/** Before anything is written. */
function refuseOtherMode(to: Place, mode: Copied['mode']): void {
  const noted = to.type === 'directory' ? notedMode(to.path) : null
  if (noted !== null && noted !== mode && to.type === 'directory')
    throw new Failure(
      `${to.path} belongs to a gateway in ${noted} mode, and this one is in ${mode ?? 'no'} mode; name another directory with --to.`,
    )
}
