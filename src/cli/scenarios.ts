// src/cli/scenarios.ts — `tollgate scenarios`: lists, shows and checks scenarios.
import type { Command } from 'commander'
import { createProcessMemory } from '../simulator/memory/process-memory.ts'
import { createScenarioLibrary, type ScenarioLibrary } from '../simulator/scenarios/library.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { readScenarioFiles, scenarioFilesIn } from './scenario-files.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate scenarios list
  tollgate scenarios show declined > my-decline.json     a document to change
  tollgate scenarios check my-scenarios                  a file, or a directory of them
A till plays one by the header Tollgate-Scenario; TOLLGATE_SCENARIOS names a directory of one's own.`

/** No account: the scenarios of accounts are not listed here. */
const NO_ACCOUNT = ''

type Options = SettingsOptions & { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  addSettingsOptions(command.command('list'), 'scenarios')
    .description('List the scenarios of the library and of the files.')
    .option('--json', 'print JSON')
    .action((options: Options) => list(shell, libraryOf(shell, options), options))
  addSettingsOptions(command.command('show'), 'scenarios')
    .description('Print a scenario as a document.')
    .argument('<name>', 'name of a scenario')
    .action((name: string, options: Options) => show(shell, libraryOf(shell, options), name))
  command
    .command('check')
    .description('Check files that hold scenarios.')
    .argument('<paths...>', 'files, or directories of them')
    .action((paths: string[]) => check(shell, paths))
}

function libraryOf(shell: Shell, options: Options): ScenarioLibrary {
  const { scenarioDirectory } = configOf(shell, options)
  return createScenarioLibrary(createProcessMemory(), scenarioFilesIn(scenarioDirectory))
}

function list(shell: Shell, library: ScenarioLibrary, options: Options): void {
  const scenarios = library.list(NO_ACCOUNT)
  const cells = scenarios.map(({ name, from, rows, title }) => [name, from, rows, title])
  if (options.json) printJson(shell, { scenarios })
  else print(shell, tableOf(['Scenario', 'From', 'Rows', 'What happens'], cells))
}

function show(shell: Shell, library: ScenarioLibrary, name: string): void {
  const document = library.documentOf(NO_ACCOUNT, name)
  if (document === null)
    throw new Failure(`There is no scenario ${name}; \`tollgate scenarios list\` lists the scenarios.`)
  printJson(shell, document)
}

function check(shell: Shell, paths: readonly string[]): void {
  const { files, problems } = readScenarioFiles(paths)
  if (problems.length > 0) throw new Failure(problems.join('\n'))
  print(shell, `${files.length === 1 ? '1 scenario' : `${files.length} scenarios`} can be played.`)
}
