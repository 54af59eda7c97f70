// src/cli/cluster.ts — `tollgate cluster status`: shows the nodes of a gateway on Postgres.
import type { Command } from 'commander'
import { EVERYTHING } from '../config/rules.ts'
import { systemClock } from '../platform/clock.ts'
import { openConnections } from '../store/postgres/connections.ts'
import {
  type ClusterStatus,
  clusterOf,
  inspectDatabase,
  MOST_BEHIND,
  NEWEST_SCHEMA,
  type NodeStatus,
} from '../store/postgres/inspection.ts'
import { LEASE_MS } from '../store/postgres/work-statements.ts'
import { tableOf } from './columns.ts'
import { FAILED, Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'
import { programVersion } from './version.ts'

const EXAMPLES = `
Examples:
  tollgate cluster status          the nodes on the database of DATABASE_URL, their lanes and versions
  tollgate cluster status --json   the same for a program
Exits with 1 when lanes have no node, or nodes run different versions.`

type Options = SettingsOptions & { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  const status = command.command('status').description('Show nodes, lanes, lag and versions.')
  addSettingsOptions(status)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => showStatus(shell, options))
}

async function showStatus(shell: Shell, options: Options): Promise<void> {
  const { database } = configOf(shell, options, EVERYTHING)
  if (database === null) throw new Failure('A gateway without DATABASE_URL is a single node, on SQLite.')
  const connections = openConnections({ address: database, clock: systemClock() })
  try {
    const { schema } = await inspectDatabase(connections.query)
    if (schema === null)
      throw new Failure(`${connections.where} holds no gateway yet; start one with \`tollgate serve\`.`)
    if (schema !== NEWEST_SCHEMA)
      throw new Failure(
        `The gateway in ${connections.where} has schema ${schema}, and Tollgate ${programVersion()} reads ${NEWEST_SCHEMA}; use the version of its nodes.`,
      )
    const status = await clusterOf(connections.query)
    const problems = problemsOf(status)
    if (options.json) printJson(shell, { ...status, problems })
    else show(shell, status, problems)
    if (problems.length > 0) shell.exitWith(FAILED)
  } finally {
    await connections.close()
  }
}

function show(shell: Shell, { nodes }: ClusterStatus, problems: readonly string[]): void {
  const headings = ['Node', 'State', 'Lanes', 'Behind', 'Version', 'Started', 'Address']
  if (nodes.length > 0) print(shell, tableOf(headings, nodes.map(rowOf)))
  for (const problem of problems) print(shell, `\nProblem: ${problem}`)
}

function rowOf(node: NodeStatus): readonly string[] {
  const { name, lanes, behind, version, startedAt, address } = node
  const unread = behind >= MOST_BEHIND ? `${MOST_BEHIND}+` : String(behind)
  return [name, stateOf(node), String(lanes), unread, version, isoTime(startedAt), address ?? '-']
}

function isAlive({ silentMs }: NodeStatus): boolean {
  return silentMs < LEASE_MS
}

function stateOf(node: NodeStatus): string {
  if (node.leaving) return isAlive(node) ? 'stopping' : 'stopped'
  return isAlive(node) ? 'working' : `silent for ${Math.round(node.silentMs / 1_000)} s`
}

function problemsOf({ nodes, freeLanes }: ClusterStatus): readonly string[] {
  const alive = nodes.filter(node => isAlive(node) && !node.leaving)
  const versions = [...new Set(alive.map(({ version }) => version))]
  return [
    ...(alive.length === 0 ? ['No node works on this database.'] : []),
    ...(alive.length > 0 && freeLanes > 0
      ? [`${freeLanes} lanes have no node; this lasts a few seconds after a node has died or joined.`]
      : []),
    ...(versions.length > 1 ? [`The nodes run different versions: ${versions.join(', ')}.`] : []),
  ]
}
