// src/simulator/wallets/test-wallets.ts — the test wallets of a sandbox, with roots of their own that no live gateway
// trusts.

import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { SandboxWallets } from '../controls.ts'
import { createAppleTokens } from './apple-tokens.ts'
import { createGoogleTokens } from './google-tokens.ts'

/** Creates wallets with new roots, valid for the life of this process. */
export function createTestWallets(random: Random, clock: Clock) {
  const phones = createAppleTokens(random, clock.now())
  const accounts = createGoogleTokens(random, clock.now())
  const maker: SandboxWallets = {
    make: ({ wallet, ...requested }) => {
      switch (wallet) {
        case 'APPLE_PAY':
          return phones.make(requested, clock.now())
        case 'GOOGLE_PAY':
          return accounts.make(requested, clock.now())
      }
    },
  }
  return { settings: { applePay: phones.settings, googlePay: accounts.settings }, maker }
}
