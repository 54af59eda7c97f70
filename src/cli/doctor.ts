// src/cli/doctor.ts — `tollgate doctor`: checks the gateway's environment and data, and suggests remedies.
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { readStoredClocks } from '../simulator/clocks/stored-clocks.ts'
import { checkCurrencies } from './doctor/currency-checks.ts'
import { checkDatabase } from './doctor/database-checks.ts'
import { checkDirectory } from './doctor/directory-checks.ts'
import { type Finding, fine, problem } from './doctor/finding.ts'
import { checkGateway, isGatewayRunning } from './doctor/gateway-checks.ts'
import { checkJwts, recordsIn } from './doctor/jwt-checks.ts'
import { checkPostgres } from './doctor/postgres-checks.ts'
import { checkProgram } from './doctor/program-checks.ts'
import { checkRecords, type RecordsContext } from './doctor/record-checks.ts'
import { FAILED } from './failure.ts'
import { addSettingsOptions, configOf, type SettingsOptions, settingsOf } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate doctor
  tollgate doctor --data /var/lib/tollgate --json
  tollgate doctor --card-data
It changes nothing and works beside a running gateway. Exits with 1 when there is a problem.
--card-data starts a sandbox of its own in a temporary directory, sends card numbers that no bank has issued through each of
its inputs, and looks for them in its database, files, log, metrics, events, webhooks, listed requests and answers. It takes a
minute or less.`

type Options = SettingsOptions & { readonly json?: true; readonly cardData?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command)
    .option('--json', 'print JSON')
    .option('--card-data', 'look for card numbers in clear, in a sandbox of its own')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => examine(shell, options))
}

async function examine(shell: Shell, options: Options): Promise<void> {
  const findings = options.cardData ? await cardDataFindings(shell) : await allFindings(shell, options)
  const healthy = findings.every(finding => finding.ok)
  if (options.json) printJson(shell, { healthy, findings })
  else for (const finding of findings) print(shell, lineOf(finding))
  if (!healthy) shell.exitWith(FAILED)
}

/** Imported only when requested, because it loads the whole gateway. */
async function cardDataFindings(shell: Shell): Promise<readonly Finding[]> {
  const { checkCardData } = await import('./doctor/card-data/card-data-check.ts')
  return checkCardData(configOf({ ...shell, env: {} }, {}))
}

async function allFindings(shell: Shell, options: Options): Promise<readonly Finding[]> {
  const at = systemClock().now()
  const program = [...checkProgram(), checkCurrencies(at)]
  const settings = settingsOf(shell, options)
  // All other checks need the settings.
  if ('problems' in settings) return [...program, ...settings.problems.map(message => problem('settings', message))]
  const { config } = settings
  const directory = checkDirectory(config.dataDirectory)
  const running = isGatewayRunning(config.dataDirectory)
  const clocks = readStoredClocks(join(config.dataDirectory, 'sandbox.db'))
  const context = { now: at, running, clocks }
  const stored = config.database === null ? await checkSqlite(config, context) : await checkPostgres(config, context)
  const gateway = await checkGateway(config, running, at)
  return [...program, fine('settings', `${config.mode} mode`), ...directory, ...stored, ...gateway]
}

async function checkSqlite({ dataDirectory }: Config, context: RecordsContext): Promise<readonly Finding[]> {
  const { findings, database } = checkDatabase(dataDirectory)
  if (database === null) return findings
  const records = await checkRecords(database, context)
  const jwts = await checkJwts(recordsIn(database), context.now)
  database.close()
  return [...findings, ...records, ...jwts]
}

function lineOf({ check, ok, warning, message }: Finding): string {
  return `${ok ? (warning ? 'WARNING' : 'ok     ') : 'PROBLEM'}  ${check}: ${message}`
}
