// src/cli/accounts.ts — `tollgate accounts`: opens, lists, changes and revokes merchant accounts.
import { type Command, Option } from 'commander'
import { API_VERSIONS } from '../api/versions/select.ts'
import type { AccountProfile, MerchantAccount } from '../domain/accounts/merchant-account.ts'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../domain/money.ts'
import { oneClock } from '../engine/clocks.ts'
import type { Makes } from '../engine/makes.ts'
import { systemClock } from '../platform/clock.ts'
import { closeAccount } from '../services/provisioning/account-closing.ts'
import { accountId, merchantHosts, receiptLine, timeZone, words } from './arguments.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { chosen } from './makes.ts'
import { accountOf, allAccounts, made, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate accounts create harbour --name "Harbour Café" --currency EUR --time-zone Europe/Dublin
  tollgate accounts list --json
  tollgate accounts settings harbour --default-version v1
  tollgate accounts settings harbour --merchant-host shop.harbour.example --merchant-host www.harbour.example
  tollgate accounts revoke demo
  tollgate accounts close test-abcd          a test account: cancels what is running too
A running gateway applies the change within a second.`

type Options = SettingsOptions & { readonly json?: true }
type CreateOptions = Options & {
  readonly name: string
  readonly address: string
  readonly merchantNumber: string
  readonly currency: TerminalCurrency
  readonly timeZone?: string
  readonly merchantHost?: readonly string[]
  readonly acquirer?: string
  readonly directoryServer?: string
}

type SettingsChange = Options & { readonly defaultVersion?: string; readonly merchantHost?: readonly string[] }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  shared(
    command.command('create').description('Open an account and print its first API key, which is shown only once.'),
  )
    .argument('<id>', 'short name, for example harbour', accountId)
    .requiredOption('--name <name>', 'name of the shop, first line of its receipts', receiptLine)
    .option('--address <address>', 'second line of its receipts', receiptLine, '')
    .option('--merchant-number <digits>', "the acquirer's number for the merchant", words, '')
    .addOption(new Option('--currency <code>', 'currency of its terminals').choices(TERMINAL_CURRENCIES).default('GBP'))
    .option('--time-zone <zone>', 'time zone of the site; default as set for the gateway', timeZone)
    .option('--merchant-host <host>', HOST_HELP, merchantHosts)
    .option('--acquirer <name>', 'its acquirer, which cannot be changed later; default: the first registered')
    .option(
      '--directory-server <name>',
      'its directory server, which cannot be changed later; default: the first registered',
    )
    .action((id: string, options: CreateOptions) => createAccount(shell, id, options))
  shared(command.command('list').description('List all accounts.')).action((options: Options) =>
    listAccounts(shell, options),
  )
  shared(command.command('settings').description('Show the settings of an account, or change them.'))
    .argument('<id>', 'id of the account', accountId)
    .addOption(
      new Option('--default-version <version>', 'interface version for requests that name none').choices([
        ...API_VERSIONS.map(({ version }) => version),
        'gateway',
      ]),
    )
    .option('--merchant-host <host>', `${HOST_HELP}; replaces those that were there`, merchantHosts)
    .action((id: string, options: SettingsChange) => changeSettings(shell, id, options))
  shared(command.command('close').description('Revoke a test account of a sandbox and cancel what is running.'))
    .argument('<id>', 'id of the account', accountId)
    .action((id: string, options: Options) => closeTestAccount(shell, id, options))
  shared(
    command.command('revoke').description('Revoke an account permanently: its keys stop working, its records stay.'),
  )
    .argument('<id>', 'id of the account', accountId)
    .action((id: string, options: Options) => revokeAccount(shell, id, options))
}

const HOST_HELP = 'host of a web shop, for its merchantUrl; may be given several times'

function shared(command: Command): Command {
  return addSettingsOptions(command, 'data', 'mode').option('--json', 'print JSON')
}

async function createAccount(shell: Shell, id: string, options: CreateOptions): Promise<void> {
  const config = configOf(shell, options)
  const { name, address, merchantNumber, currency, timeZone = config.timeZone } = options
  const merchantHosts = options.merchantHost ?? []
  const profile = { name, address, merchantNumber, currency, timeZone, public: false, merchantHosts }
  const { record, secret } = await withRecords(
    config,
    async ({ provisioning, makes }) => {
      const chosenFor = choicesOf(options, makes)
      const order = { id, profile: { ...profile, ...chosenFor }, keyLabel: 'first', terminals: [] }
      return made(await provisioning.openAccount(order))
    },
    { making: true },
  )
  if (options.json) return printJson(shell, { account: asJson(record), apiKey: secret })
  print(shell, `Account ${record.id} is open. Its API key, shown only once:`)
  print(shell)
  print(shell, `  ${secret}`)
}

/** The chosen acquirer and directory server. Without the option the gateway's default applies. */
function choicesOf(options: CreateOptions, makes: Makes): Pick<AccountProfile, 'acquirer' | 'directoryServer'> {
  const acquirer = chosen('--acquirer', options.acquirer, makes.acquirers)
  const directoryServer = chosen('--directory-server', options.directoryServer, makes.directoryServers)
  return {
    ...(acquirer === undefined ? {} : { acquirer }),
    ...(directoryServer === undefined ? {} : { directoryServer }),
  }
}

async function listAccounts(shell: Shell, options: Options): Promise<void> {
  const accounts = await withRecords(configOf(shell, options), ({ store }) => allAccounts(store))
  if (options.json) return printJson(shell, { accounts: accounts.map(asJson) })
  print(shell, tableOf(['Account', 'Status', 'Currency', 'Time zone', 'Name'], accounts.map(rowOf)))
}

function rowOf({ id, status, currency, timeZone, name, public: shared }: MerchantAccount): readonly string[] {
  return [id, status, currency, timeZone, shared ? `${name} (its key is public)` : name]
}

function asJson({ version: _, ...account }: MerchantAccount) {
  return { ...account, createdAt: isoTime(account.createdAt) }
}

async function changeSettings(shell: Shell, id: string, options: SettingsChange): Promise<void> {
  const { defaultVersion: wanted, merchantHost: hosts } = options
  const account = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    const found = await accountOf(store, id)
    const hosted = hosts === undefined ? found : made(await provisioning.setMerchantHosts(id, hosts)).record
    if (wanted === undefined) return hosted
    return made(await provisioning.setDefaultVersion(id, wanted === 'gateway' ? null : wanted)).record
  })
  if (options.json) return printJson(shell, { account: asJson(account) })
  print(shell, `acquirer         ${account.acquirer ?? 'the default'}`)
  print(shell, `directory server ${account.directoryServer ?? 'the default'}`)
  print(shell, `default version  ${account.defaultVersion ?? "the gateway's setting"}`)
  print(shell, `merchant hosts   ${account.merchantHosts?.join(', ') || 'none: no access tokens can be made'}`)
}

async function revokeAccount(shell: Shell, id: string, options: Options): Promise<void> {
  const account = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    await accountOf(store, id)
    return made(await provisioning.revokeAccount(id)).record
  })
  if (options.json) return printJson(shell, { account: asJson(account) })
  print(shell, `Account ${id} is revoked.`)
}

async function closeTestAccount(shell: Shell, id: string, options: Options): Promise<void> {
  const config = configOf(shell, options)
  const account = await withRecords(config, async ({ store, engine, mode }) => {
    if (mode === 'live')
      throw new Failure(`${config.dataDirectory} is live and has no test accounts; use \`tollgate accounts revoke\`.`)
    await accountOf(store, id)
    return made(await closeAccount({ store, engine, clocks: oneClock(systemClock()) }, id)).record
  })
  if (options.json) return printJson(shell, { account: asJson(account) })
  print(shell, `Account ${id} is closed.`)
}
