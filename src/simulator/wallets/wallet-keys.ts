// src/simulator/wallets/wallet-keys.ts — the keys of the test wallets, which the nodes of a sandbox share by the store. ADR 71.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Key, Store } from '../../engine/ports/store.ts'

/** A P-256 key pair. */
export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const NAMES = [
  'appleRoot',
  'appleIntermediate',
  'appleLeaf',
  'appleMerchant',
  'googleRoot',
  'googleSigning',
  'googleGateway',
] as const
type Name = (typeof NAMES)[number]

export type WalletKeys = Readonly<Record<Name, KeyPair>>

/** They sign for test cards only, and no live gateway trusts them: so they are not sealed. */
const STORED: Key = { account: '(wallets)', kind: 'test-wallet-keys', id: 'keys' }

/**
 * Reads the keys from the store, or creates them. Nodes that do so at the same time get the same ones.
 * @param at now, epoch milliseconds
 * @throws faults of the store
 */
export async function sharedWalletKeys(store: Pick<Store, 'load' | 'commit'>, at: number): Promise<WalletKeys> {
  for (;;) {
    const stored = await store.load(STORED)
    if (stored !== null) return keysIn(stored.body)
    const body = JSON.stringify(pemsOf(freshWalletKeys()))
    // If another node has created them meanwhile, the next iteration reads those.
    await store.commit({
      ...STORED,
      ...{ expectedVersion: 0, version: 1, body, parent: '', live: false, lockKey: null },
      ...{ at, events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
    })
  }
}

export function freshWalletKeys(): WalletKeys {
  return forEachName(freshKeys)
}

export function freshKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function keysIn(body: string): WalletKeys {
  const pems = JSON.parse(body) as Readonly<Record<Name, string>>
  return forEachName(name => {
    const privateKey = createPrivateKey(pems[name])
    return { privateKey, publicKey: createPublicKey(privateKey) }
  })
}

function pemsOf(keys: WalletKeys): Readonly<Record<Name, string>> {
  return forEachName(name => String(keys[name].privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

function forEachName<Value>(make: (name: Name) => Value): Readonly<Record<Name, Value>> {
  return Object.fromEntries(NAMES.map(name => [name, make(name)])) as Readonly<Record<Name, Value>>
}
