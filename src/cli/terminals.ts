// src/cli/terminals.ts — `tollgate terminals`: adds, lists, removes, configures and checks terminals of an account.

import { type Command, Option } from 'commander'
import {
  isSealed,
  SPLIT_MODES,
  type SplitMode,
  TERMINAL_MODES,
  type Terminal,
  type TerminalMode,
  type TerminalSettings,
  tableSettingsOf,
} from '../domain/accounts/terminal.ts'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../domain/money.ts'
import { decodeRecord } from '../engine/decoding.ts'
import { TERMINAL } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { GivenDriverSettings } from '../services/provisioning/driver-settings.ts'
import { freshSettings } from '../services/provisioning/provisioning.ts'
import { checkTerminal } from '../terminals/nexo/check.ts'
import { NEXO } from '../terminals/nexo/settings.ts'
import { accountId, jsonFile, onOrOff, pace, terminalId } from './arguments.ts'
import { tableOf } from './columns.ts'
import { nexoParts } from './drivers.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { chosen } from './makes.ts'
import { NO_LOG } from './no-log.ts'
import { accountOf, enabledAccount, made, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate terminals add harbour VCMHARBSIP0
  tollgate terminals settings harbour VCMHARBSIP0 --gratuity on --pace 100
  tollgate terminals remove harbour VCMHARBSIP0
  tollgate terminals add harbour 22160001 --driver nexo --driver-settings terminal.json
  tollgate terminals check harbour 22160001
The last four characters of a simulated terminal beginning with VCM choose what it does: SIP0 approves with chip and
PIN, DIP0 declines, SIS0 asks for a signature. A terminal with any other id waits for key presses.`

type Options = SettingsOptions & { readonly json?: true }
/** Settings by their option names. Absent ones stay unchanged. */
interface SettingOptions {
  readonly currency?: TerminalCurrency
  readonly gratuity?: boolean
  readonly cashback?: boolean
  readonly printing?: boolean
  readonly contactlessCopy?: boolean
  readonly pace?: number | null
  readonly serves?: TerminalMode
  readonly split?: SplitMode
  readonly waiterIds?: boolean
  readonly driverSettings?: GivenDriverSettings
}

type AddOptions = Options & SettingOptions & { readonly driver?: string }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  withSettings(withTerminal(subcommand(command, 'add', 'Add a terminal to an account.')))
    .option('--driver <name>', 'its driver; default: the first registered')
    .action((account: string, tid: string, options: AddOptions) => addTerminal(shell, account, tid, options))
  subcommand(command, 'list', 'List the terminals of an account.').action((account: string, options: Options) =>
    listTerminals(shell, account, options),
  )
  withTerminal(subcommand(command, 'remove', 'Remove a terminal; its transactions stay.')).action(
    (account: string, tid: string, options: Options) => removeTerminal(shell, account, tid, options),
  )
  withTerminal(subcommand(command, 'check', 'Connect to a terminal and show its health.')).action(
    (account: string, tid: string, options: Options) => checkOne(shell, account, tid, options),
  )
  withSettings(
    withTerminal(subcommand(command, 'settings', 'Show the settings of a terminal, or change some.')),
  ).action((account: string, tid: string, options: Options & SettingOptions) => settings(shell, account, tid, options))
}

function subcommand(command: Command, name: string, description: string): Command {
  return addSettingsOptions(command.command(name).description(description), 'data', 'mode')
    .option('--json', 'print JSON')
    .argument('<account>', 'id of the account', accountId)
}

function withTerminal(command: Command): Command {
  return command.argument('<tid>', 'id of the terminal', terminalId)
}

function withSettings(command: Command): Command {
  return command
    .addOption(new Option('--currency <code>', 'its currency').choices(TERMINAL_CURRENCIES))
    .option('--gratuity <on|off>', 'asks for a tip before the card', onOrOff)
    .option('--cashback <on|off>', 'allows cashback', onOrOff)
    .option('--printing <on|off>', 'prints receipts itself', onOrOff)
    .option('--contactless-copy <on|off>', "prints the customer's copy of contactless payments too", onOrOff)
    .addOption(
      new Option('--serves <whom>', 'tills at the counter, waiters at tables, or both').choices(TERMINAL_MODES),
    )
    .addOption(new Option('--split <when>', 'whether waiters may, or must, split bills').choices(SPLIT_MODES))
    .option('--waiter-ids <on|off>', 'waiters sign in with an id', onOrOff)
    .option('--pace <ms>', 'milliseconds a step takes, or default', pace)
    .option(
      '--driver-settings <file>',
      'JSON file with the settings of its driver; secrets are stored in the vault',
      jsonFile,
    )
}

function changesOf(options: SettingOptions): Partial<TerminalSettings> {
  const { currency, gratuity, cashback, printing, contactlessCopy, pace, serves, split, waiterIds } = options
  const all = {
    currency,
    gratuity,
    cashbackAllowed: cashback,
    printing,
    contactlessCustomerCopy: contactlessCopy,
    paceMs: pace,
    mode: serves,
    split,
    waiterIds,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

async function addTerminal(shell: Shell, accountId: string, tid: string, options: AddOptions): Promise<void> {
  const terminal = await withRecords(configOf(shell, options), async ({ store, provisioning, makes }) => {
    const driver = chosen('--driver', options.driver, makes.terminals)
    const account = await enabledAccount(store, accountId)
    const settings = { ...freshSettings(account.currency), ...changesOf(options) }
    const { driverSettings } = options
    const order = {
      ...{ account: account.id, tid, settings },
      ...(driver === undefined ? {} : { driver }),
      ...(driverSettings === undefined ? {} : { driverSettings }),
    }
    return made(await provisioning.addTerminal(order)).record
  })
  if (options.json) return printJson(shell, { terminal: asJson(terminal) })
  print(shell, `Terminal ${tid} was added to account ${accountId}.`)
}

async function listTerminals(shell: Shell, accountId: string, options: Options): Promise<void> {
  const terminals = await withRecords(configOf(shell, options), async ({ store }) => {
    await accountOf(store, accountId)
    return recordsOf(store, accountId, TERMINAL)
  })
  if (options.json) return printJson(shell, { terminals: terminals.map(asJson) })
  const rows = terminals.map(({ tid, status, driver, settings }) => [tid, status, driver, settings.currency])
  print(shell, tableOf(['Terminal', 'Status', 'Driver', 'Currency'], rows))
}

async function removeTerminal(shell: Shell, accountId: string, tid: string, options: Options): Promise<void> {
  const terminal = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    await installed(store, accountId, tid)
    return made(await provisioning.removeTerminal(accountId, tid)).record
  })
  if (options.json) return printJson(shell, { terminal: asJson(terminal) })
  print(shell, `Terminal ${tid} of account ${accountId} is removed.`)
}

async function checkOne(shell: Shell, accountId: string, tid: string, options: Options): Promise<void> {
  const result = await withRecords(configOf(shell, options), async records => {
    const terminal = await installed(records.store, accountId, tid)
    if (terminal.driver !== NEXO)
      throw new Failure(`Terminal ${tid} has the driver ${terminal.driver}; only ${NEXO} can check.`)
    const parts = { ...nexoParts(records), log: NO_LOG }
    return checkTerminal(parts, terminal).catch(error => {
      throw new Failure(`Terminal ${tid}: ${error instanceof Error ? error.message : String(error)}`)
    })
  })
  const { facts, problems } = result
  if (options.json) printJson(shell, { facts: Object.fromEntries(facts), problems })
  else print(shell, tableOf(['Check', 'Result'], facts))
  if (problems.length > 0) throw new Failure(problems.join(' '))
}

async function settings(
  shell: Shell,
  accountId: string,
  tid: string,
  options: Options & SettingOptions,
): Promise<void> {
  const changes = changesOf(options)
  const terminal = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    const before = await installed(store, accountId, tid)
    const { driverSettings } = options
    if (Object.keys(changes).length === 0 && driverSettings === undefined) return before
    return made(await provisioning.configureTerminal(accountId, tid, changes, driverSettings)).record
  })
  if (options.json) return printJson(shell, { terminal: asJson(terminal) })
  const { currency, gratuity, cashbackAllowed, printing, contactlessCustomerCopy, paceMs } = terminal.settings
  const { mode, split, waiterIds } = tableSettingsOf(terminal.settings)
  const rows = [
    ['currency', currency],
    ['gratuity', onOff(gratuity)],
    ['cashback', onOff(cashbackAllowed)],
    ['printing', onOff(printing)],
    ['contactless-copy', onOff(contactlessCustomerCopy)],
    ['serves', mode],
    ['split', split],
    ['waiter-ids', onOff(waiterIds)],
    ['pace', paceMs === null ? 'default' : `${paceMs} ms`],
    ...Object.entries(shownSettings(terminal)).map(([name, value]) => [`driver: ${name}`, String(value)]),
  ]
  print(shell, tableOf(['Setting', 'Value'], rows))
}

async function installed(store: Parameters<typeof accountOf>[0], account: string, tid: string): Promise<Terminal> {
  const stored = await store.load({ account, kind: 'terminal', id: tid })
  const terminal = stored === null ? null : decodeRecord(TERMINAL, stored.body)
  if (terminal !== null && terminal.status === 'installed') return terminal
  throw new Failure(`Account ${account} has no terminal ${tid}; \`tollgate terminals list ${account}\` lists them.`)
}

function asJson({ version: _, ...terminal }: Terminal) {
  const { driverSettings } = terminal
  return {
    ...terminal,
    ...(driverSettings === undefined ? {} : { driverSettings: shownSettings(terminal) }),
    createdAt: isoTime(terminal.createdAt),
  }
}

/** Driver settings with their secrets hidden. */
function shownSettings({ driverSettings = {} }: Pick<Terminal, 'driverSettings'>) {
  return Object.fromEntries(
    Object.entries(driverSettings).map(([name, value]) => [name, isSealed(value) ? '[sealed]' : value]),
  )
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off'
}
