// src/cli/doctor/postgres-checks.ts — checks a Postgres database: connection, schema, clock, durability, keys, nodes, records.
import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'
import { systemClock } from '../../platform/clock.ts'
import { systemRandom } from '../../platform/random.ts'
import type { KeyRing } from '../../platform/vault/key-ring.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { clocksIn } from '../../simulator/clocks/stored-clocks.ts'
import { type Connections, openConnections } from '../../store/postgres/connections.ts'
import { createDocuments } from '../../store/postgres/documents.ts'
import {
  type Inspected,
  inspectDatabase,
  NEWEST_SCHEMA,
  newestRecords,
  SUPPORTED,
} from '../../store/postgres/inspection.ts'
import { openPostgresStore } from '../../store/postgres/store.ts'
import { databaseMode } from '../database-mode.ts'
import { Failure } from '../failure.ts'
import { hasSigningKey } from '../signing-key.ts'
import { vaultKeyFile, vaultRing } from '../vault-ring.ts'
import { type Finding, fine, problem, warning } from './finding.ts'
import { checkJwts } from './jwt-checks.ts'
import { checkNodes } from './node-checks.ts'
import { checkFolds, checkWork, type RecordsContext } from './record-checks.ts'

/** Difference of the clocks that needs attention, in milliseconds. Leases go by the database's clock, times of records by ours. */
const MOST_OFFSET_MS = 1_000

/** Checks the database of the settings. */
export async function checkPostgres(config: Config, context: RecordsContext): Promise<readonly Finding[]> {
  if (config.database === null) return []
  const clock = systemClock()
  const connections = openConnections({ address: config.database, clock })
  try {
    const inspected = await inspectDatabase(connections.query)
    const findings = [
      versionOf(inspected, connections.where),
      schemaOf(inspected),
      durabilityOf(inspected),
      await clockOf(connections),
    ]
    // An older schema would be migrated.
    if (inspected.schema !== NEWEST_SCHEMA) return findings
    return [...findings, ...(await checkStored(config, connections, clock, context))]
  } catch (error) {
    if (error instanceof Fault) return [problem('database', error.message)]
    throw error
  } finally {
    await connections.close()
  }
}

function versionOf({ version, major }: Inspected, where: string): Finding {
  const { from, to } = SUPPORTED
  if (major < from) return problem('database', `${where} is Postgres ${version}; a gateway needs ${from} or newer.`)
  return major > to
    ? warning(
        'database',
        `${where} is Postgres ${version}, with which this Tollgate was not tested (${from} to ${to}).`,
      )
    : fine('database', `${where} is Postgres ${version}.`)
}

function schemaOf({ schema }: Inspected): Finding {
  if (schema === null) return fine('migrations', 'The database is empty; the first start creates the tables.')
  if (schema > NEWEST_SCHEMA)
    return problem(
      'migrations',
      `The database was written by a newer Tollgate (${schema}, this one knows ${NEWEST_SCHEMA}); use that.`,
    )
  const next = schema === NEWEST_SCHEMA ? ', the newest' : `; the next start goes on to ${NEWEST_SCHEMA}.`
  return fine('migrations', `${schema}${next}`)
}

/** Whether what was answered survives the end of the server, and of its machine. */
function durabilityOf({ fsync, synchronousCommit, standbys }: Inspected): Finding {
  const check = 'durability'
  if (fsync === 'off')
    return problem(check, 'fsync is off, so a power cut loses payments that were answered; set it to on.')
  if (synchronousCommit === 'off')
    return problem(
      check,
      'synchronous_commit is off, so a crash loses payments that were answered; set it to on for this user or database.',
    )
  if (standbys === '')
    return fine(check, `synchronous_commit is ${synchronousCommit}; there is no synchronous standby.`)
  return synchronousCommit === 'local'
    ? warning(check, `synchronous_commit is local, so a failover to ${standbys} loses payments that were answered.`)
    : fine(check, `synchronous_commit is ${synchronousCommit}, with synchronous standbys (${standbys}).`)
}

async function clockOf({ clockOffset }: Connections): Promise<Finding> {
  const { offsetMs, errorMs } = await clockOffset()
  const said = `The database's clock is ${Math.round(Math.abs(offsetMs))} ms ${offsetMs < 0 ? 'behind' : 'ahead'} (± ${Math.ceil(errorMs)} ms)`
  return Math.abs(offsetMs) > MOST_OFFSET_MS + errorMs
    ? warning('clock', `${said}; synchronise the clocks of both machines.`)
    : fine('clock', `${said}.`)
}

/** Checks what a gateway has stored. */
async function checkStored(
  config: Config,
  connections: Connections,
  clock: Clock,
  context: RecordsContext,
): Promise<readonly Finding[]> {
  const store = await openPostgresStore({ connections, clock })
  const clocks = clocksIn(await createDocuments(connections).ofCollection('clock'))
  const { finding: keys, ring } = await keysOf(config, store, clock)
  return [
    await modeOf(config, store),
    keys,
    ...(ring === null ? [] : await checkNodes({ query: connections.query, ring, clock })),
    await checkFolds(store, (kind, limit) => newestRecords(connections.query, kind, limit)),
    ...(await checkWork(store, { ...context, clocks })),
    ...(await checkJwts(store, context.now)),
  ]
}

async function modeOf({ mode }: Config, store: Store): Promise<Finding> {
  const stored = (await databaseMode(store)) ?? mode
  return stored === mode
    ? fine('mode', `This database belongs to a gateway in ${mode} mode.`)
    : problem('mode', `This database belongs to a gateway in ${stored} mode; set TOLLGATE_MODE=${stored}.`)
}

/** Whether the keys of the settings open what the database holds. The ring is null when they do not. */
async function keysOf(
  config: Config,
  store: Store,
  clock: Clock,
): Promise<{ readonly finding: Finding; readonly ring: KeyRing | null }> {
  const file = vaultKeyFile(config)
  // Opening the ring of a sandbox would create the file.
  if (file !== null && !existsSync(file)) {
    const missing = `${file} is missing, so nothing in the vault can be opened; bring the key of this gateway.`
    return { finding: problem('keys', missing), ring: null }
  }
  try {
    const random = systemRandom()
    const vault = { store, ring: vaultRing(config, config.mode, clock, random), random, clock }
    await openVault(vault)
    await hasSigningKey(vault)
    return { finding: fine('keys', 'The vault keys of the settings are those of this database.'), ring: vault.ring }
  } catch (error) {
    if (error instanceof Fault || error instanceof Failure)
      return { finding: problem('keys', error.message), ring: null }
    throw error
  }
}
