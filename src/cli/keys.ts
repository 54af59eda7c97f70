// src/cli/keys.ts — `tollgate keys`: creates, registers, lists and revokes API keys and JWT keys.

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { publicKeyOf } from '../api/public-key.ts'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import type { JwtKey } from '../domain/accounts/jwt-key.ts'
import { KEY_AREAS, type KeyArea, type KeyLimits } from '../domain/accounts/key-limits.ts'
import { COMMAND_LINE } from '../domain/people/audit-entry.ts'
import { API_KEY, JWT_KEY } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import { registerJwtKey, revokeJwtKey } from '../services/provisioning/jwt-key-store.ts'
import { accountId, keyAreas, keyName, terminalIds, userName, words } from './arguments.ts'
import { tableOf } from './columns.ts'
import { Failure } from './failure.ts'
import { isoTime, shortTime } from './iso-time.ts'
import { accountOf, enabledAccount, made, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate keys create harbour --label "till 2"
  tollgate keys create harbour --label "till 3" --user ann --areas counter,tables --terminals 22160001
  tollgate keys list harbour
  tollgate keys register harbour shop-server.pem --kid shop-1    for JWTs that the shop signs itself
  tollgate keys revoke harbour 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10
To replace a key: create the new one, set it up in the till, revoke the old one. A revoked key stops within a second,
also at a gateway that is running.`

type Options = SettingsOptions & { readonly json?: true }
type CreateOptions = Options & {
  readonly label: string
  readonly user?: string
  readonly areas?: readonly KeyArea[]
  readonly terminals?: readonly string[]
}
type RegisterOptions = Options & { readonly kid?: string; readonly label: string }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  subcommand(command, 'create', 'Make a key and print it; it is shown only once.')
    .option('--label <text>', 'what it is for, as the list shows it', words, '')
    .option('--user <name>', 'whom it belongs to: it may do what the role allows, and ends with the user', userName)
    .option('--areas <areas>', `what it may call: ${KEY_AREAS.join(', ')}; default all`, keyAreas)
    .option('--terminals <tids>', 'what it may be about, such as 22160001,22160002; default all', terminalIds)
    .action((account: string, options: CreateOptions) => createKey(shell, account, options))
  subcommand(command, 'register', 'Register a public key with which the shop signs its own JWTs.')
    .argument('<file>', 'the key, RSA with 2048 bits or more: PEM or JWK')
    .option('--kid <name>', 'its kid in the header of JWTs; generated when absent', keyName)
    .option('--label <text>', 'what it is for, as the list shows it', words, '')
    .action((account: string, file: string, options: RegisterOptions) => registerKey(shell, account, file, options))
  subcommand(command, 'list', 'List the keys of an account, without their secrets.').action(
    (account: string, options: Options) => listKeys(shell, account, options),
  )
  subcommand(command, 'revoke', 'Revoke a key permanently.')
    .argument('<key-id>', 'id of the key, as the list shows it')
    .action((account: string, id: string, options: Options) => revokeKey(shell, account, id, options))
}

function subcommand(command: Command, name: string, description: string): Command {
  return addSettingsOptions(command.command(name).description(description), 'data')
    .option('--json', 'print JSON')
    .argument('<account>', 'id of the account', accountId)
}

async function createKey(shell: Shell, account: string, options: CreateOptions): Promise<void> {
  const { label, user = null, areas, terminals } = options
  const limits: KeyLimits = {
    ...(areas === undefined ? {} : { areas }),
    ...(terminals === undefined ? {} : { terminals }),
  }
  const { record, secret } = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    await enabledAccount(store, account)
    return made(await provisioning.createKey(account, label, { user, limits }))
  })
  if (options.json) return printJson(shell, { key: shown(record), apiKey: secret })
  print(shell, `Key ${record.id} of account ${account}, shown only once:`)
  print(shell)
  print(shell, `  ${secret}`)
}

async function registerKey(shell: Shell, account: string, file: string, options: RegisterOptions): Promise<void> {
  const key = publicKeyOf(await readKeyFile(file))
  if (key === null) throw new Failure(`${file} holds no RSA public key of 2048 bits or more, as PEM or JWK.`)
  const publicKey = key.export({ type: 'spki', format: 'pem' }).toString()
  const { record } = await withRecords(configOf(shell, options), async ({ store, engine, random }) => {
    await enabledAccount(store, account)
    const requested = { publicKey, kid: options.kid ?? null, label: options.label }
    return made(await registerJwtKey({ engine, store, random }, account, requested))
  })
  const { id, kid, label, createdAt } = record
  if (options.json) return printJson(shell, { jwtKey: { id, kid, label, createdAt: isoTime(createdAt) } })
  print(
    shell,
    `Key ${id} is registered for account ${account}. JWTs that it signs name it in their header: "kid": "${kid}".`,
  )
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read.`, { cause: error })
  }
}

async function listKeys(shell: Shell, account: string, options: Options): Promise<void> {
  const { keys, jwtKeys } = await withRecords(configOf(shell, options), async ({ store }) => {
    await accountOf(store, account)
    const [apiKeys, registered] = await Promise.all([
      recordsOf(store, account, API_KEY),
      recordsOf(store, account, JWT_KEY),
    ])
    return { keys: apiKeys, jwtKeys: registered }
  })
  if (options.json) return printJson(shell, { keys: keys.map(shown), jwtKeys: jwtKeys.map(shownJwtKey) })
  const rows = keys.map(key => {
    const { id, status, createdAt, label, limits = {} } = key
    return [id, 'API', status, shortTime(createdAt), makerOf(key), limitsIn(limits), label]
  })
  const jwtRows = jwtKeys.map(({ id, kid, status, createdAt, label }) => {
    return [id, `JWT ${kid}`, status, shortTime(createdAt), '', '', label]
  })
  print(shell, tableOf(['Key', 'For', 'Status', 'Made', 'By', 'Limited to', 'Label'], [...rows, ...jwtRows]))
}

function makerOf({ user }: ApiKey): string {
  return user === undefined ? 'before users' : (user ?? COMMAND_LINE)
}

function limitsIn({ areas = [], terminals = [] }: KeyLimits): string {
  return [areas, terminals].flatMap(each => (each.length === 0 ? [] : [each.join(',')])).join(' at ')
}

async function revokeKey(shell: Shell, account: string, id: string, options: Options): Promise<void> {
  const key = await withRecords(configOf(shell, options), async ({ store, provisioning, engine }) => {
    const registered = await store.load({ account, kind: 'jwt-key', id })
    if (registered === null) return shown(made(await provisioning.revokeKey(account, id)).record)
    return shownJwtKey(made(await revokeJwtKey({ engine }, account, id)).record)
  })
  if (options.json) return printJson(shell, { key })
  print(shell, `Key ${id} of account ${account} is revoked.`)
}

/** Leaves out the hash of the key. */
function shown(key: ApiKey) {
  const {
    id,
    merchantAccount,
    label,
    status,
    createdAt,
    user = null,
    limits: { areas = null, terminals = null } = {},
  } = key
  const of = { user, madeBy: makerOf(key), areas, terminals }
  return { id, merchantAccount, label, ...of, status, createdAt: isoTime(createdAt) }
}

function shownJwtKey({ id, merchantAccount, kid, label, status, createdAt }: JwtKey) {
  return { id, merchantAccount, kid, label, status, createdAt: isoTime(createdAt) }
}
