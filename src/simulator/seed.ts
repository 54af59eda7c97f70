// src/simulator/seed.ts — contents of a new sandbox: two demo accounts with public keys and terminals.
import type { AccountProfile } from '../domain/accounts/merchant-account.ts'
import type { TerminalCurrency } from '../domain/money.ts'
import type { Provisioning } from '../services/provisioning/provisioning.ts'
import { SIMULATED } from './makes.ts'

interface SeedAccount {
  readonly id: string
  readonly apiKey: string
  readonly profile: AccountProfile
  readonly terminals: readonly string[]
}

/** One terminal per scenario. The letters encode outcome, reading and verification. */
const SCRIPT_CODES = ['SIP0', 'DIP0', 'SCD0', 'SIS0', 'UIP0', 'TIP0', 'CIP0', 'VIP0', 'SCN0'] as const

/** Ids of the scripted terminals of the sandbox account with this tag. */
export function scriptedTerminals(tag: string): readonly string[] {
  return SCRIPT_CODES.map(code => `VCM${tag}${code}`)
}

/** Host of all sandbox shops, for their `merchantUrl`. */
const SANDBOX_HOST = 'shop.example'

/** Profile of a test account, as printed on its receipts. */
export function sandboxProfile(name: string, currency: TerminalCurrency, timeZone: string): AccountProfile {
  return {
    name,
    address: '1 Harbour Street',
    merchantNumber: '21249872',
    currency,
    timeZone,
    public: false,
    merchantHosts: [SANDBOX_HOST],
  }
}

/** Accounts of a new sandbox. Their keys are public: they protect only test data. */
export function seedAccounts(timeZone: string): readonly SeedAccount[] {
  return [
    {
      id: 'demo',
      apiKey: 'demo-api-key',
      profile: { ...sandboxProfile('Corner Shop', 'GBP', timeZone), public: true },
      terminals: [...scriptedTerminals('DEMO'), '22160001', '22160002'],
    },
    {
      id: 'demo-eur',
      apiKey: 'demo-eur-api-key',
      profile: { ...sandboxProfile('Corner Shop Dublin', 'EUR', 'Europe/Dublin'), public: true },
      terminals: [...scriptedTerminals('EURO'), '22160003', '22160004'],
    },
  ]
}

/** Opens the accounts that do not exist yet. What was revoked or removed since stays so. */
export async function seedSandbox(provisioning: Provisioning, timeZone: string): Promise<void> {
  for (const { id, apiKey, profile, terminals } of seedAccounts(timeZone)) {
    const order = { id, profile, keyLabel: 'demo', secret: apiKey, driver: SIMULATED, terminals }
    const opened = await provisioning.openAccount(order)
    // A sandbox from before online payments has no merchant hosts.
    if ('refused' in opened) await provisioning.ensureMerchantHosts(id, [SANDBOX_HOST])
  }
}
