// src/cli/timeline.ts — `tollgate timeline`: shows the timeline of a transaction, or exports it as a scenario.
import type { Command } from 'commander'
import { addReachOptions, askSandbox, type ReachOptions } from './sandbox-client.ts'
import { type Shell, say, sayJson } from './shell.ts'
import { tableOf } from './table.ts'

const EXAMPLES = `
Examples:
  tollgate timeline 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10
  tollgate timeline 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10 --scenario > what-went-wrong.json
The scenario plays what terminal and acquirer did: \`tollgate scenarios check\`, then put it into TOLLGATE_SCENARIOS.`

type Options = ReachOptions & { readonly json?: true; readonly scenario?: true }

interface Entry {
  readonly at: string
  readonly from: string
  readonly to: string | null
  readonly what: string
  readonly notifications: readonly string[]
  readonly answer: unknown
  readonly times: number
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addReachOptions(command)
    .argument('<requestId>', 'id of a transaction')
    .option('--scenario', 'print it as a scenario that can be played')
    .option('--json', 'print all of it as JSON')
    .addHelpText('after', EXAMPLES)
    .action((requestId: string, options: Options) => show(shell, requestId, options))
}

async function show(shell: Shell, requestId: string, options: Options): Promise<void> {
  const id = encodeURIComponent(requestId)
  if (options.scenario) {
    sayJson(shell, await askSandbox(shell, options, 'GET', `/sandbox/transactions/${id}/scenario`))
    return
  }
  const timeline = await askSandbox(shell, options, 'GET', `/api/transactions/${id}/timeline`)
  const { entries } = timeline as { readonly entries: readonly Entry[] }
  if (options.json) sayJson(shell, timeline)
  else say(shell, tableOf(['Seconds', 'Who', 'What', ''], rowsOf(entries)))
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
