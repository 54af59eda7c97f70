// src/simulator/wallets/test-wallets.ts — the test wallets of a sandbox, with roots of their own that no live gateway
// trusts.

import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { SandboxWallets } from '../controls.ts'
import { createAppleTokens } from './apple-tokens.ts'
import { createGoogleTokens } from './google-tokens.ts'
import { freshWalletKeys, sharedWalletKeys, type WalletKeys } from './wallet-keys.ts'

export interface TestWalletsParts {
  readonly random: Random
  readonly clock: Clock
  /** Has the keys when several nodes share it, so that a token is good on each of them. */
  readonly store: Pick<Store, 'load' | 'commit' | 'shared'>
}

type Settings = {
  readonly applePay: ReturnType<typeof createAppleTokens>['settings']
  readonly googlePay: ReturnType<typeof createGoogleTokens>['settings']
}

export interface TestWallets {
  /** Reads or creates the keys: of a single process new ones. The wallets cannot be used before. @throws faults of the store */
  start(): Promise<void>
  /** As of a gateway that the wallets' makers know. */
  readonly settings: Settings
  readonly maker: SandboxWallets
}

export function createTestWallets({ random, clock, store }: TestWalletsParts): TestWallets {
  let keys: WalletKeys | null = null
  const walletsWith = (known: WalletKeys) => ({
    phones: createAppleTokens(known, random, clock.now()),
    accounts: createGoogleTokens(known, random, clock.now()),
  })
  let made: ReturnType<typeof walletsWith> | null = null
  // At the first use: most runs of a sandbox use no wallet, and certificates take time.
  const wallets = () => {
    if (keys === null) throw new Error('the test wallets are used before the gateway has started')
    made ??= walletsWith(keys)
    return made
  }
  return {
    async start() {
      keys ??= store.shared ? await sharedWalletKeys(store, clock.now()) : freshWalletKeys()
    },
    settings: {
      get applePay() {
        return wallets().phones.settings
      },
      get googlePay() {
        return wallets().accounts.settings
      },
    },
    maker: {
      make: ({ wallet, ...requested }) => {
        switch (wallet) {
          case 'APPLE_PAY':
            return wallets().phones.make(requested, clock.now())
          case 'GOOGLE_PAY':
            return wallets().accounts.make(requested, clock.now())
        }
      },
    },
  }
}
