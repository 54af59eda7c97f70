// src/cli/sandbox-remains.ts — makes live mode refuse a data directory with public keys or simulated parts of a sandbox.

import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import { decodeRecord } from '../engine/decoding.ts'
import { apiKeyLockKey, MERCHANT_ACCOUNT, TERMINAL } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'
import { hashOfKey } from '../services/provisioning/api-key-store.ts'
import { SIMULATED } from '../simulator/makes.ts'
import { seedAccounts } from '../simulator/seed.ts'
import { Failure } from './failure.ts'
import { allAccounts } from './records.ts'

/** Checks all accounts. @throws Failure that names the first thing left over, and what to do about it */
export async function refuseSandboxRemains(store: Store): Promise<void> {
  for (const account of await allAccounts(store)) {
    if (account.status === 'revoked') continue
    if (account.public)
      throw new Failure(
        `Live mode refuses the public test account ${account.id}; run \`tollgate accounts revoke ${account.id}\`, ` +
          'or name another data directory.',
      )
    await refuseSimulatedTerminals(store, account)
    if (account.acquirer === SIMULATED || account.directoryServer === SIMULATED)
      throw new Failure(
        `Live mode refuses account ${account.id}, whose acquirer or directory server is simulated; ` +
          `run \`tollgate accounts revoke ${account.id}\`, or name another data directory.`,
      )
  }
  await refuseDemoKeys(store)
}

async function refuseSimulatedTerminals(store: Store, account: MerchantAccount): Promise<void> {
  const terminals = await recordsOf(store, account.id, TERMINAL)
  const simulated = terminals.find(({ status, driver }) => status === 'installed' && driver === SIMULATED)
  if (simulated === undefined) return
  throw new Failure(
    `Live mode refuses the simulated terminal ${simulated.tid} of account ${account.id}; ` +
      `run \`tollgate terminals remove ${account.id} ${simulated.tid}\`, or name another data directory.`,
  )
}

/** Refuses the demo keys in any account, because they are printed in every guide. */
async function refuseDemoKeys(store: Store): Promise<void> {
  for (const { apiKey } of seedAccounts('UTC')) {
    const holder = await store.accountKeyHolderOf(apiKeyLockKey(hashOfKey(apiKey)))
    if (holder === null) continue
    const account = await store.load({ account: holder.account, kind: 'merchant-account', id: holder.account })
    if (account !== null && decodeRecord(MERCHANT_ACCOUNT, account.body).status === 'revoked') continue
    throw new Failure(
      `Live mode refuses the public key ${apiKey} of account ${holder.account}; ` +
        `run \`tollgate keys revoke ${holder.account} ${holder.id}\`, or name another data directory.`,
    )
  }
}
