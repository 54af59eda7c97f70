// src/cli/config.ts — `tollgate config`: lists all settings with value and source.
import type { Command } from 'commander'
import { type InForce, settingsTable } from '../config.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { addSettingsOptions, type SettingsOptions, settingsOf } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate config                    as the gateway would start here
  PORT=8080 tollgate config --json   for a program
Secrets are never shown, only whether they are set.`

type Options = SettingsOptions & { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => showConfig(shell, options))
}

function showConfig(shell: Shell, options: Options): void {
  const settings = settingsOf(shell, options)
  if ('problems' in settings) throw new Failure(settings.problems.join('\ntollgate: '))
  if (options.json) printJson(shell, { settings: settings.inForce.map(asJson) })
  else
    print(
      shell,
      tableOf(
        ['Setting', 'Value', 'From'],
        settings.inForce.map(({ env, value, from }) => [env, value, from]),
      ),
    )
}

/** Separates `set` from `value`, because programs would take "(not set)" for a value. */
function asJson({ env, value, from }: InForce) {
  const { secret, meaning } = settingsTable().find(row => row.env === env) ?? { secret: false, meaning: '' }
  const set = value !== '(not set)'
  return { setting: env, value: set && !secret ? value : null, set, secret, from, meaning }
}
