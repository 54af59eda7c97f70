// src/cli/settings-options.ts — command-line options for settings, and the resulting configuration.
import { type Command, Option } from 'commander'
import { EVERYTHING, type Uses } from '../config/rules.ts'
import { type Config, type ConfigResult, type Overrides, readConfig, settingsTable } from '../config.ts'
import { Failure } from './failure.ts'
import type { Shell } from './shell.ts'

/** Options for settings, as text by name. */
export type SettingsOptions = Overrides

/** Adds options for settings to a command: the named ones, or all. */
export function addSettingsOptions(command: Command, ...names: readonly string[]): Command {
  for (const { option, env, meaning, default: unset } of settingsTable()) {
    if (option === null || (names.length > 0 && !names.includes(option.slice(2)))) continue
    const fallback = unset === null ? '' : `; default ${unset}`
    command.addOption(new Option(`${option} <value>`, `${meaning} (${env}${fallback})`))
  }
  return command
}

/** Reads all settings. Invalid ones are returned as problems. */
export function settingsOf(shell: Shell, options: SettingsOptions, uses: Uses = EVERYTHING): ConfigResult {
  const named = settingsTable().flatMap(({ option }) => (option === null ? [] : [option.slice(2)]))
  const overrides = Object.fromEntries(
    named.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  return readConfig(shell.env, overrides, uses)
}

/** Most commands work on records, and use no files of TLS and keys of the vault. */
const NEITHER: Uses = { tls: false, vault: false }

/** Reads the settings of a command. @throws Failure with one sentence for each problem */
export function configOf(shell: Shell, options: SettingsOptions, uses: Uses = NEITHER): Config {
  const settings = settingsOf(shell, options, uses)
  if ('problems' in settings) throw new Failure(settings.problems.join('\ntollgate: '))
  return settings.config
}
