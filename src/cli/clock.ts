// src/cli/clock.ts — `tollgate clock`: shows and moves an account's clock in a running sandbox.
import type { Command } from 'commander'
import { duration } from './arguments.ts'
import { addReachOptions, askSandbox, type ReachOptions } from './sandbox-client.ts'
import { type Shell, say, sayJson } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate clock show
  tollgate clock advance 80s          a signature that nobody checked has now timed out
  tollgate clock set 2026-12-31T23:59:00Z
  tollgate clock freeze               until tollgate clock release
Everything that falls due on the way has happened when the command ends. Other accounts keep their own time.`

type Options = ReachOptions & { readonly json?: true }

interface ClockView {
  readonly now: string
  readonly frozen: boolean
  readonly offsetMs: number
  readonly fired?: number
  readonly settled?: boolean
}

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  shared(command.command('show').description('Show the clock.')).action((options: Options) => tell(shell, options))
  shared(command.command('advance').description('Let time pass, all at once.'))
    .argument('<duration>', 'such as 500ms, 80s, 30min, 24h or 7d', duration)
    .action((ms: number, options: Options) => tell(shell, options, { do: 'advance', ms }))
  shared(command.command('set').description('Let time pass up to a point, or go back to one.'))
    .argument('<time>', 'RFC 3339, such as 2026-12-31T23:59:00Z')
    .action((to: string, options: Options) => tell(shell, options, { do: 'set', to }))
  shared(command.command('freeze').description('Stop the clock.')).action((options: Options) =>
    tell(shell, options, { do: 'freeze' }),
  )
  shared(command.command('release').description('Let it run again from where it stands.')).action((options: Options) =>
    tell(shell, options, { do: 'release' }),
  )
  shared(command.command('reset').description('Let it follow the clock of the system.')).action((options: Options) =>
    tell(shell, options, { do: 'reset' }),
  )
}

function shared(command: Command): Command {
  return addReachOptions(command).option('--json', 'print JSON')
}

async function tell(shell: Shell, options: Options, order?: object): Promise<void> {
  const method = order === undefined ? 'GET' : 'POST'
  const clock = (await askSandbox(shell, options, method, '/sandbox/clock', order)) as ClockView
  if (options.json) sayJson(shell, clock)
  else say(shell, sentenceOf(clock))
  if (clock.settled === false) shell.exitWith(1)
}

function sentenceOf({ now, frozen, offsetMs, fired, settled }: ClockView): string {
  const state = frozen ? 'frozen' : offsetMs === 0 ? 'the time of the system' : `${offsetMs} ms from the system`
  const happened = fired === undefined ? '' : `; ${fired} alarms rang`
  return `${now}, ${state}${happened}${settled === false ? '; it took too long, and stopped on the way' : ''}`
}
