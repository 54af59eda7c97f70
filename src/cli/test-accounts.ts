// src/cli/test-accounts.ts — opens private test accounts in a sandbox.
import type { OpenTestAccount } from '../api/parts.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Provisioning } from '../services/provisioning/provisioning.ts'
import { sandboxProfile, scriptedTerminals } from '../simulator/seed.ts'

/** Letters of a tag. With 24 letters there are 331,776 tags of four; a tag that is in use is drawn again. */
const TAG_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const TAG_LENGTH = 4
const TRIES = 5

export interface TestAccountParts {
  readonly provisioning: Provisioning
  readonly random: Random
  readonly defaultZone: string
  /** Signs a JWT of an account's first API key, and returns the key's id. */
  signJwt(account: string, audience: string): Promise<{ readonly jwt: string; readonly keyId: string }>
}

/** Opens an account with its own key and JWT, and one terminal for each scripted behaviour. */
export function testAccountsOf({ provisioning, random, defaultZone, signJwt }: TestAccountParts): OpenTestAccount {
  return async ({ name, currency, timeZone, merchantHosts, audience }) => {
    for (let tries = 1; ; tries += 1) {
      const tag = tagOf(random)
      const terminals = scriptedTerminals(tag)
      const profile = sandboxProfile(name, currency, timeZone ?? defaultZone)
      const opened = await provisioning.openAccount({
        id: `test-${tag.toLowerCase()}`,
        profile: merchantHosts === null ? profile : { ...profile, merchantHosts },
        keyLabel: 'first',
        terminals,
      })
      if (!('refused' in opened)) {
        const { record, secret: key } = opened
        const signed = await signJwt(record.id, audience)
        return { account: record.id, key, ...signed, merchantHosts: record.merchantHosts ?? [], terminals }
      }
      if (opened.refused.code !== 'already_exists' || tries === TRIES) return opened
    }
  }
}

function tagOf(random: Random): string {
  return Array.from(random.bytes(TAG_LENGTH), byte => TAG_ALPHABET.charAt(byte % TAG_ALPHABET.length)).join('')
}
