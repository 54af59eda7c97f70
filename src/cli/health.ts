// src/cli/health.ts — `tollgate health`: asks the running gateway whether it takes work, for container health checks.
import { type Command, Option } from 'commander'
import { askPath } from './doctor/gateway-checks.ts'
import { Failure } from './failure.ts'
import { readRunNote } from './run-file.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate health                    exits with 0 when the gateway of this data directory is ready, else with 1
  tollgate health --probe live       whether its process answers at all
It reads nothing but the answer, so it may be run every few seconds. \`tollgate doctor\` examines a gateway thoroughly.`

type Options = SettingsOptions & { readonly probe: 'ready' | 'live'; readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command, 'data')
    .addOption(new Option('--probe <probe>', 'what to ask for').choices(['ready', 'live']).default('ready'))
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => probe(shell, options))
}

async function probe(shell: Shell, options: Options): Promise<void> {
  const { dataDirectory } = configOf(shell, options)
  const note = readRunNote(dataDirectory)
  if (note === null) throw new Failure(`No gateway on ${dataDirectory} has said where it listens.`)
  const { listening } = note
  const { status, text } = await askPath(listening, `/health/${options.probe}`).catch(error => {
    throw new Failure(`The gateway does not answer at ${listening}.`, { cause: error })
  })
  if (status !== 200) throw new Failure(`The gateway at ${listening} is not ${options.probe} (${status} ${text}).`)
  if (options.json) printJson(shell, { status: options.probe, listening })
  else print(shell, `The gateway at ${listening} is ${options.probe}.`)
}
