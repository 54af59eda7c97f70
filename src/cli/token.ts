// src/cli/token.ts — `tollgate token`: prints the JWT of an account, for its web shop.
import type { Command } from 'commander'
import { systemClock } from '../platform/clock.ts'
import { accountId, baseUrl, jwtLife } from './arguments.ts'
import { baseUrlOf } from './configured-url.ts'
import { Failure } from './failure.ts'
import { isoTime } from './iso-time.ts'
import { activeKeyOf, longLived, merchantJwt, validFor } from './jwt-signing.ts'
import { enabledAccount, made, withRecords } from './records.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { print, printJson, type Shell } from './shell.ts'

const EXAMPLES = `
Examples:
  tollgate token                     for the account demo of a sandbox
  tollgate token harbour --audience https://pay.example --expires-in 365d
  curl -H "Authorization: Bearer $(tollgate token)" http://127.0.0.1:4020/v1/payment-methods
Keep it on the server of the shop. It stops working when its API key is revoked. --expires-in sets how long it is valid,
from now on; \`tollgate doctor\`, a metric and the log announce its expiry 30 days ahead. Live mode requires it. In a
sandbox without it the token lasts for years, and each call prints the same one. --audience must be the address under
which the shop reaches the gateway.`

const VAULT = { tls: false, vault: true }

type Options = SettingsOptions & { readonly json?: true; readonly audience?: string; readonly expiresIn?: number }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command, 'data', 'host', 'port')
    .argument('[account]', 'id of the account', accountId, 'demo')
    .option('--audience <url>', 'base address of the gateway; default as set for it', baseUrl)
    .option('--expires-in <time>', 'how long it is valid, such as 365d, 12h or 30min; required in live mode', jwtLife)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((account: string, options: Options) => printToken(shell, account, options))
}

async function printToken(shell: Shell, account: string, options: Options): Promise<void> {
  const plain = configOf(shell, options)
  // On Postgres the vault seals the signing key.
  const config = plain.database === null ? plain : configOf(shell, options, VAULT)
  const audience = options.audience ?? baseUrlOf(config)
  const { expiresIn } = options
  const { apiKey, validity, signing } = await withRecords(config, async ({ store, mode, provisioning, signingKey }) => {
    if (expiresIn === undefined && mode === 'live')
      throw new Failure(
        'Live mode signs no JWT without an expiry; set how long it is valid, such as --expires-in 365d.',
      )
    await enabledAccount(store, account)
    const apiKey = await activeKeyOf(store, account)
    const signing = await signingKey()
    if (expiresIn === undefined) return { apiKey, validity: longLived(apiKey), signing }
    const validity = validFor(expiresIn, systemClock().now())
    // Recorded before the token is printed, so that its expiry is always announced.
    made(await provisioning.noteJwt(account, apiKey.id, validity.expiresAt * 1_000))
    return { apiKey, validity, signing }
  })
  const jwt = await merchantJwt({ apiKey, audience, signingKey: signing, validity })
  const expiresAt = isoTime(validity.expiresAt * 1_000)
  if (options.json) printJson(shell, { token: jwt, account, keyId: apiKey.id, audience, expiresAt })
  else print(shell, jwt)
}
