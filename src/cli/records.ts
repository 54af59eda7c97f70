// src/cli/records.ts — opens the records for commands that read or change accounts, keys and terminals.
// A gateway may run on the same store; its cached copies are at most a second old.

import type { KeyObject } from 'node:crypto'
import type { Config } from '../config.ts'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import { type Refusal, sentenceOf } from '../domain/refusals.ts'
import { createRecordCache } from '../engine/cache.ts'
import { oneClock } from '../engine/clocks.ts'
import { decodeRecord } from '../engine/decoding.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import { createFeed } from '../engine/feed.ts'
import { MERCHANT_ACCOUNT } from '../engine/machines.ts'
import type { Makes } from '../engine/makes.ts'
import { pagesOfKind } from '../engine/pages.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { Vault } from '../engine/ports/vault.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createProvisioning, type Provisioning } from '../services/provisioning/provisioning.ts'
import { Failure } from './failure.ts'
import { makesOf } from './makes.ts'
import { openStoreBeside } from './open-store.ts'
import { databaseSigningKey, signingKey } from './signing-key.ts'
import { vaultRing } from './vault-ring.ts'

export interface Records {
  readonly store: Store
  readonly provisioning: Provisioning
  readonly engine: Engine
  readonly random: Random
  readonly clock: Clock
  /** Opens and stores texts. Needs the keys of the vault when it is used. */
  readonly vault: Pick<Vault, 'storeText' | 'openText'>
  /** Mode of the gateway; before its first start, that of the settings. */
  readonly mode: Config['mode']
  /** Drivers, acquirers and directory servers available in this mode. */
  readonly makes: Makes
  /** The key that signs JWTs. On Postgres it needs the keys of the vault. */
  signingKey(): Promise<KeyObject>
}

/**
 * Opens the records of a gateway, works on them and closes them.
 * @param making whether to create a store when there is none
 * @throws Failure when there is no store and `making` is false
 */
export async function withRecords<T>(
  config: Config,
  work: (records: Records) => Promise<T>,
  { making = false }: { readonly making?: boolean } = {},
): Promise<T> {
  const clock = systemClock()
  const { store, mode } = await openStoreBeside(config, clock, making)
  try {
    const engine = createEngine({
      store,
      clocks: oneClock(clock),
      feed: createFeed(),
      cache: createRecordCache(0),
    })
    const random = systemRandom()
    const makes = makesOf({ mode, directoryServers: config.directoryServers })
    // Opened on use, so that other commands work without the vault's keys.
    const vaultParts = () => ({ store, ring: vaultRing(config, mode, clock, random), random, clock })
    let opened: Promise<Vault> | null = null
    const openedVault = () => {
      opened ??= openVault(vaultParts())
      return opened
    }
    const vault: Records['vault'] = {
      storeText: async (...text) => (await openedVault()).storeText(...text),
      openText: async (...text) => (await openedVault()).openText(...text),
    }
    const { database, dataDirectory } = config
    const signing = () =>
      database === null ? signingKey(dataDirectory) : databaseSigningKey(vaultParts(), dataDirectory)
    const provisioning = createProvisioning({ engine, store, random, vault, makes })
    return await work({ store, mode, engine, random, clock, vault, makes, provisioning, signingKey: signing })
  } finally {
    await store.close()
  }
}

/** Lists all accounts in order of creation. */
export async function allAccounts(store: Store): Promise<readonly MerchantAccount[]> {
  const accounts: MerchantAccount[] = []
  for await (const page of pagesOfKind(store, MERCHANT_ACCOUNT.kind))
    accounts.push(...page.map(stored => decodeRecord(MERCHANT_ACCOUNT, stored.body)))
  return accounts
}

/** Finds an account, even a revoked one. @throws Failure when there is none */
export async function accountOf(store: Store, id: string): Promise<MerchantAccount> {
  const stored = await store.load({ account: id, kind: MERCHANT_ACCOUNT.kind, id })
  if (stored !== null) return decodeRecord(MERCHANT_ACCOUNT, stored.body)
  throw new Failure(`There is no account ${id}; \`tollgate accounts list\` lists the accounts.`)
}

/** Finds an enabled account. @throws Failure when there is none, or it is revoked */
export async function enabledAccount(store: Store, id: string): Promise<MerchantAccount> {
  const account = await accountOf(store, id)
  if (account.status === 'enabled') return account
  throw new Failure(`Account ${id} is revoked; open another with \`tollgate accounts create\`.`)
}

/** Returns a successful outcome. @throws Failure with the sentence of a refusal */
export function made<T extends object>(outcome: T | { readonly refused: Refusal }): T {
  if ('refused' in outcome) throw new Failure(sentenceOf(outcome.refused))
  return outcome
}
