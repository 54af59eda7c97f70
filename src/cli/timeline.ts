// src/cli/timeline.ts — `tollgate timeline`: shows the timeline of a transaction or a table; exports a transaction as a scenario.
import type { Command } from 'commander'
import { tableOf } from './columns.ts'
import { Failure, MISUSED } from './failure.ts'
import { addReachOptions, callSandbox, type ReachOptions } from './sandbox-client.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate timeline 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10
  tollgate timeline 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10 --scenario > what-went-wrong.json
  tollgate timeline --table 7                a table by its name or id, with its payments
The scenario plays what terminal and acquirer did: \`tollgate scenarios check\`, then put it into TOLLGATE_SCENARIOS.`

type Options = ReachOptions & { readonly json?: true; readonly scenario?: true; readonly table?: string }

interface Entry {
  readonly at: string
  readonly from: string
  readonly to: string | null
  readonly what: string
  readonly notifications: readonly string[]
  readonly answer: unknown
  readonly times: number
  /** The payment of the table that it belongs to. */
  readonly requestId?: string
}

interface Page {
  readonly tables: readonly { readonly tableId: string; readonly name: string }[]
  readonly next: number | string | null
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addReachOptions(command)
    .argument('[requestId]', 'id of a transaction')
    .option('--table <table>', 'a table instead: its id, or its name, which means the newest table of that name')
    .option('--scenario', 'print it as a scenario that can be played')
    .option('--json', 'print all of it as JSON')
    .addHelpText('after', EXAMPLES)
    .action((requestId: string | undefined, options: Options) => show(shell, requestId, options))
}

async function show(shell: Shell, requestId: string | undefined, options: Options): Promise<void> {
  if ((requestId === undefined) === (options.table === undefined))
    throw new Failure('Name either a transaction or a --table.', { exitCode: MISUSED })
  if (options.scenario && requestId === undefined)
    throw new Failure('--scenario exports a transaction only; name one of the payments of the table.', {
      exitCode: MISUSED,
    })
  const id = encodeURIComponent(requestId ?? '')
  if (options.scenario) {
    printJson(shell, await callSandbox(shell, options, 'GET', `/sandbox/transactions/${id}/scenario`))
    return
  }
  const path =
    options.table === undefined
      ? `/api/transactions/${id}/timeline`
      : `/api/tables/${encodeURIComponent(await tableIdOf(shell, options, options.table))}/timeline?payments=true`
  const timeline = await callSandbox(shell, options, 'GET', path)
  const { entries } = timeline as { readonly entries: readonly Entry[] }
  if (options.json) printJson(shell, timeline)
  else if (options.table === undefined) print(shell, tableOf(['Seconds', 'Who', 'What', ''], rowsOf(entries)))
  else print(shell, tableOf(['Seconds', 'Payment', 'Who', 'What', ''], tableRowsOf(entries)))
}

/** The id of the newest table with this name; the name itself when there is none, because it may be an id. */
async function tableIdOf(shell: Shell, options: Options, name: string): Promise<string> {
  for (let before = ''; ; ) {
    const { tables, next } = (await callSandbox(shell, options, 'GET', `/api/tables?limit=100${before}`)) as Page
    const found = tables.find(table => table.tableId === name || table.name === name)
    if (found !== undefined) return found.tableId
    if (next === null) return name
    before = `&before=${encodeURIComponent(next)}`
  }
}

/** Rows with the last characters of the payment that they belong to. */
function tableRowsOf(entries: readonly Entry[]): readonly (readonly string[])[] {
  return rowsOf(entries).map(([seconds = '', ...rest], index) => [
    ...[seconds, entries[index]?.requestId?.slice(-8) ?? ''],
    ...rest,
  ])
}

function rowsOf(entries: readonly Entry[]): readonly (readonly string[])[] {
  const began = Date.parse(entries[0]?.at ?? '')
  return entries.map(({ at, from, to, what, notifications, answer, times }) => {
    const seconds = ((Date.parse(at) - began) / 1_000).toFixed(1).padStart(7)
    const who = to === null ? '' : `${from} → ${to}`
    return [seconds, who, times > 1 ? `${what} × ${times}` : what, notifications.join(' ') || briefly(answer)]
  })
}

/** Shortens an answer to 70 characters. */
function briefly(answer: unknown): string {
  if (answer === null) return ''
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return text.length > 70 ? `${text.slice(0, 67)}...` : text
}
