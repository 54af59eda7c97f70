// src/cli/test-accounts.ts — opens private test accounts in a sandbox.
import type { OpenTestAccount } from '../api/parts.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Provisioning } from '../services/provisioning/provisioning.ts'
import { sandboxProfile, scriptedTerminals } from '../simulator/seed.ts'

/** Letters of a tag. With 24 letters there are 331,776 tags of four; a tag that is in use is drawn again. */
const TAG_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const TAG_LENGTH = 4
const TRIES = 5

/** Opens an account with its own key and one terminal for each scripted behaviour. */
export function testAccountsOf(provisioning: Provisioning, random: Random, defaultZone: string): OpenTestAccount {
  return async ({ name, currency, timeZone }) => {
    for (let tries = 1; ; tries += 1) {
      const tag = tagOf(random)
      const terminals = scriptedTerminals(tag)
      const opened = await provisioning.openAccount({
        id: `test-${tag.toLowerCase()}`,
        profile: sandboxProfile(name, currency, timeZone ?? defaultZone),
        keyLabel: 'first',
        terminals,
      })
      if (!('refused' in opened)) return { account: opened.record.id, key: opened.secret, terminals }
      if (opened.refused.code !== 'already_exists' || tries === TRIES) return opened
    }
  }
}

function tagOf(random: Random): string {
  return Array.from(random.bytes(TAG_LENGTH), byte => TAG_ALPHABET.charAt(byte % TAG_ALPHABET.length)).join('')
}
