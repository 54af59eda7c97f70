// src/cli/token.ts — `tollgate token`: prints the JWT of an account, for its web shop.
import type { Command } from 'commander'
import { accountId, baseUrl } from './arguments.ts'
import { baseUrlOf } from './base-url.ts'
import { activeKeyOf, merchantJwt } from './merchant-jwt.ts'
import { enabledAccount, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { type Shell, say, sayJson } from './shell.ts'
import { signingKey } from './signing-key.ts'

const EXAMPLES = `
Examples:
  tollgate token                     for the account demo of a sandbox
  tollgate token harbour --audience https://pay.example
  curl -H "Authorization: Bearer $(tollgate token)" …
It belongs on the server of the shop. It stops when the API key it stands for is revoked; asked for again, it is the
same token. --audience must be the address under which the shop reaches the gateway.`

type Options = SettingsOptions & { readonly json?: true; readonly audience?: string }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command, 'data', 'host', 'port')
    .argument('[account]', 'id of the account', accountId, 'demo')
    .option('--audience <url>', 'base address of the gateway; default as set for it', baseUrl)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((account: string, options: Options) => printToken(shell, account, options))
}

async function printToken(shell: Shell, account: string, options: Options): Promise<void> {
  const config = configOf(shell, options)
  const audience = options.audience ?? baseUrlOf(config)
  const apiKey = await withRecords(config, async ({ store }) => {
    await enabledAccount(store, account)
    return activeKeyOf(store, account)
  })
  const jwt = await merchantJwt({ apiKey, audience, signingKey: await signingKey(config.dataDirectory) })
  if (options.json) sayJson(shell, { token: jwt, account, keyId: apiKey.id, audience })
  else say(shell, jwt)
}
