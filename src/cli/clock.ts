// src/cli/clock.ts — `tollgate clock`: shows and moves an account's clock in a running sandbox.
import type { Command } from 'commander'
import { duration } from './arguments.ts'
import { addReachOptions, callSandbox, type ReachOptions } from './sandbox-client.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate clock show
  tollgate clock advance 80s          skips the time-out of a signature check
  tollgate clock set 2026-12-31T23:59:00Z
  tollgate clock freeze               until tollgate clock release
All timers that fall due have fired when the command ends. Other accounts have clocks of their own.`

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
  shared(command.command('show').description('Show the clock.')).action((options: Options) =>
    changeClock(shell, options),
  )
  shared(command.command('advance').description('Advance the clock.'))
    .argument('<duration>', 'such as 500ms, 80s, 30min, 24h or 7d', duration)
    .action((ms: number, options: Options) => changeClock(shell, options, { do: 'advance', ms }))
  shared(command.command('set').description('Set the clock to a time.'))
    .argument('<time>', 'RFC 3339, such as 2026-12-31T23:59:00Z')
    .action((to: string, options: Options) => changeClock(shell, options, { do: 'set', to }))
  shared(command.command('freeze').description('Stop the clock.')).action((options: Options) =>
    changeClock(shell, options, { do: 'freeze' }),
  )
  shared(command.command('release').description('Let a stopped clock run again.')).action((options: Options) =>
    changeClock(shell, options, { do: 'release' }),
  )
  shared(command.command('reset').description('Follow the system clock again.')).action((options: Options) =>
    changeClock(shell, options, { do: 'reset' }),
  )
}

function shared(command: Command): Command {
  return addReachOptions(command).option('--json', 'print JSON')
}

async function changeClock(shell: Shell, options: Options, order?: object): Promise<void> {
  const method = order === undefined ? 'GET' : 'POST'
  const clock = (await callSandbox(shell, options, method, '/sandbox/clock', order)) as ClockView
  if (options.json) printJson(shell, clock)
  else print(shell, sentenceOf(clock))
  if (clock.settled === false) shell.exitWith(1)
}

function sentenceOf({ now, frozen, offsetMs, fired, settled }: ClockView): string {
  const state = frozen ? 'frozen' : offsetMs === 0 ? 'as the system clock' : `${offsetMs} ms from the system clock`
  const happened = fired === undefined ? '' : `; ${fired} ${fired === 1 ? 'timer' : 'timers'} fired`
  return `${now}, ${state}${happened}${settled === false ? '; it took too long and stopped before the end' : ''}`
}
