// src/cli/summary.ts — the summary that a gateway prints when it has started.

import type { KeyObject } from 'node:crypto'
import type { Config } from '../config.ts'
import { apiKeyLockKey, TERMINAL } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'
import { hashOfKey } from '../services/provisioning/api-key-store.ts'
import { seedAccounts } from '../simulator/seed.ts'
import { activeKeyOf, merchantJwt } from './jwt-signing.ts'
import { allAccounts } from './records.ts'

/** Merchant host of the demo account in online payments. */
const MERCHANT_HOST = 'shop.example'
const TOKEN_ACCOUNT = 'demo'

export interface Summary {
  readonly url: string
  readonly docs: string
  /** Address of the console. */
  readonly consoleUrl: string
  readonly mode: Config['mode']
  readonly dataDirectory: string
  /** Accounts with public keys, without revoked ones. Empty in live mode. */
  readonly accounts: readonly SummaryAccount[]
  readonly merchantHost: string | null
  /** Addresses for phones and other machines of the network; empty when there are none, and in live mode. */
  readonly networkUrls: readonly string[]
  /** JWT of the account `demo`; null when there is no such account. */
  readonly token: string | null
}

export interface SummaryAccount {
  readonly account: string
  readonly apiKey: string
  readonly currency: string
  readonly terminals: readonly string[]
}

/**
 * Builds the summary. The same data directory and addresses give the same summary.
 * @param networkUrls addresses of the gateway in its networks
 */
export async function summaryOf(
  config: Config,
  { url, networkUrls }: Pick<Summary, 'url' | 'networkUrls'>,
  store: Store,
  signingKey: KeyObject,
): Promise<Summary> {
  const accounts = config.mode === 'sandbox' ? await demoAccounts(store) : []
  const demo = accounts.find(({ account }) => account === TOKEN_ACCOUNT)
  const token =
    demo === undefined
      ? null
      : await merchantJwt({
          apiKey: await activeKeyOf(store, demo.account),
          audience: url,
          signingKey,
        })
  return {
    url,
    docs: `${url}/docs`,
    consoleUrl: `${config.consoleUrl ?? url}/console`,
    mode: config.mode,
    dataDirectory: config.dataDirectory,
    accounts,
    merchantHost: demo === undefined ? null : MERCHANT_HOST,
    networkUrls: config.mode === 'sandbox' ? networkUrls : [],
    token,
  }
}

/** Lists the enabled accounts with public keys. */
export async function demoAccounts(store: Store): Promise<readonly SummaryAccount[]> {
  const enabled = (await allAccounts(store)).filter(account => account.status === 'enabled')
  const found: SummaryAccount[] = []
  for (const { id, apiKey } of seedAccounts('UTC')) {
    const account = enabled.find(each => each.id === id)
    const holder = await store.accountKeyHolderOf(apiKeyLockKey(hashOfKey(apiKey)))
    if (account === undefined || holder?.account !== id) continue
    const terminals = await recordsOf(store, id, TERMINAL)
    const tids = terminals.filter(({ status }) => status === 'installed').map(({ tid }) => tid)
    found.push({ account: id, apiKey, currency: account.currency, terminals: tids })
  }
  return found
}

/** Formats the summary for people. */
export function summaryText(summary: Summary): string {
  const { url, docs, consoleUrl, mode, dataDirectory, accounts, merchantHost, token } = summary
  const lines = [
    `Tollgate is ready at ${url}`,
    '',
    `  console    ${consoleUrl}`,
    `  docs       ${docs}`,
    `  mode       ${mode}`,
    `  data       ${dataDirectory}`,
    ...accounts.flatMap(accountLines),
    ...(merchantHost === null ? [] : [`  merchant   ${merchantHost}`]),
    ...(token === null ? [] : [`  JWT        ${token}`, `  demo shop  ${url}/demo`]),
    ...networkLines(summary),
    ...tryLines(summary),
  ]
  return lines.join('\n')
}

function accountLines({ account, apiKey, currency, terminals }: SummaryAccount): readonly string[] {
  return [`  account    ${account} (${currency}), API key ${apiKey}`, `  terminals  ${terminals.join(' ')}`]
}

function networkLines({ networkUrls, accounts }: Summary): readonly string[] {
  if (networkUrls.length === 0) return []
  const names = accounts.map(({ account }) => account).join(' and ')
  const meaning =
    accounts.length === 0
      ? 'Anybody in these networks reaches the gateway and can open test accounts in it.'
      : `Anybody in these networks can use ${names}: their keys are public. No real cards.`
  return [
    '',
    'Phones and other machines of the network reach it at',
    '',
    ...networkUrls.map(url => `  ${url}/console`),
    '',
    meaning,
  ]
}

function tryLines({ url, accounts }: Summary): readonly string[] {
  const [first] = accounts
  const tid = first?.terminals[0]
  if (first === undefined || tid === undefined) return []
  const body = JSON.stringify({ transactionType: 'SALE', amount: 2599, currency: first.currency })
  return [
    '',
    'Try it:',
    '',
    `  curl -u till:${first.apiKey} -H 'Content-Type: application/json' -d '${body}' '${url}/pac/terminals/${tid}/transactions'`,
  ]
}
