// src/cli/keys.ts — `tollgate keys`: the secrets by which tills show which account they belong to.
import type { Command } from 'commander'
import type { ApiKey } from '../domain/api-key.ts'
import { accountId, words } from './arguments.ts'
import { isoTime, shortTime } from './iso-time.ts'
import { accountOf, enabledAccount, made, recordsOf, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { type Shell, say, sayJson } from './shell.ts'
import { tableOf } from './table.ts'

const EXAMPLES = `
Examples:
  tollgate keys create harbour --label "till 2"
  tollgate keys list harbour
  tollgate keys revoke harbour 6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10
To replace a key: create the new one, set it up in the till, revoke the old one. A revoked key stops within a second,
also at a gateway that is running.`

type Options = SettingsOptions & { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  command.addHelpText('after', EXAMPLES)
  subcommand(command, 'create', 'Make a key and print it; it is shown only once.')
    .option('--label <text>', 'what it is for, as the list shows it', words, '')
    .action((account: string, options: Options & { readonly label: string }) => createKey(shell, account, options))
  subcommand(command, 'list', 'List the keys of an account, without their secrets.').action(
    (account: string, options: Options) => listKeys(shell, account, options),
  )
  subcommand(command, 'revoke', 'Stop a key for good.')
    .argument('<key-id>', 'id of the key, as the list shows it')
    .action((account: string, id: string, options: Options) => revokeKey(shell, account, id, options))
}

function subcommand(command: Command, name: string, description: string): Command {
  return addSettingsOptions(command.command(name).description(description), 'data')
    .option('--json', 'print JSON')
    .argument('<account>', 'id of the account', accountId)
}

async function createKey(shell: Shell, account: string, options: Options & { readonly label: string }): Promise<void> {
  const { record, secret } = await withRecords(configOf(shell, options), async ({ store, provisioning }) => {
    await enabledAccount(store, account)
    return made(await provisioning.createKey(account, options.label))
  })
  if (options.json) return sayJson(shell, { key: shown(record), apiKey: secret })
  say(shell, `Key ${record.id} of account ${account}, shown this once:`)
  say(shell)
  say(shell, `  ${secret}`)
}

async function listKeys(shell: Shell, account: string, options: Options): Promise<void> {
  const keys = await withRecords(configOf(shell, options), async ({ store }) => {
    await accountOf(store, account)
    return recordsOf<ApiKey>(store, account, 'api-key')
  })
  if (options.json) return sayJson(shell, { keys: keys.map(shown) })
  const rows = keys.map(({ id, status, createdAt, label }) => [id, status, shortTime(createdAt), label])
  say(shell, tableOf(['Key', 'Status', 'Made', 'Label'], rows))
}

async function revokeKey(shell: Shell, account: string, id: string, options: Options): Promise<void> {
  const key = await withRecords(configOf(shell, options), async ({ provisioning }) =>
    made(await provisioning.revokeKey(account, id)),
  )
  if (options.json) return sayJson(shell, { key: shown(key.record) })
  say(shell, `Key ${id} of account ${account} is revoked.`)
}

/** The hash is of no use to anybody but an attacker. */
function shown({ id, merchantAccount, label, status, createdAt }: ApiKey) {
  return { id, merchantAccount, label, status, createdAt: isoTime(createdAt) }
}
