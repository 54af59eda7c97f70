// src/services/people/one-time-codes.ts — one-time codes by time (TOTP, RFC 6238) as a second factor, and the recovery codes. ADR 78.
import { hash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { User } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine } from '../../engine/engine.ts'
import { USER } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Vault } from '../../engine/ports/vault.ts'

/** What every authenticator app takes. */
const FORM = { issuer: 'Tollgate', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20
/** RFC 4226 demands 128 bits. */
const SHORTEST_SECRET_BYTES = 16
const LONGEST_SECRET_BYTES = 64
/** Steps before and after the present one whose codes count, because clocks of phones differ. */
const TOLERANCE = 1
const RECOVERY_CODES = 10
/** Too many to guess, so a plain hash is enough for storage. 16 characters in base 32. */
const RECOVERY_BYTES = 10

interface Refused {
  readonly refused: Refusal
}

export interface Proposal {
  /** Base 32. */
  readonly secret: string
  /** `otpauth://…`, which authenticator apps read from a QR code. */
  readonly uri: string
}

export interface OneTimeCodesService {
  /** Makes a secret. It is in force once `set` has it with a code. */
  propose(account: string, user: string): Proposal
  /** Puts a secret in force, which a code shows to be in an app. Returns fresh recovery codes; they are not stored. */
  set(
    account: MerchantAccountId,
    user: User,
    given: { readonly secret: string; readonly code: string },
  ): Promise<{ readonly recoveryCodes: readonly string[] } | Refused>
  remove(account: MerchantAccountId, user: User): Promise<Refused | null>
  /** Uses up a one-time code or a recovery code. Null when it is right. */
  use(account: MerchantAccountId, user: User, code: string): Promise<Refused | null>
}

export interface OneTimeCodesParts {
  readonly engine: Engine
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Pick<Random, 'bytes'>
}

const REFUSED: Refused = { refused: { code: 'code_refused' } }

export function createOneTimeCodes({ engine, vault, clock, random }: OneTimeCodesParts): OneTimeCodesService {
  /** Number of the time step that a code is of; null when it is wrong. */
  function stepOf(secret: Secret, token: string): number | null {
    const timestamp = clock.now()
    const delta = new TOTP({ ...FORM, secret }).validate({ token, timestamp, window: TOLERANCE })
    return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp }) + delta
  }

  async function forget(account: MerchantAccountId, { oneTimeCodes }: User): Promise<void> {
    if (oneTimeCodes) await vault.forget(account, oneTimeCodes.vault)
  }

  return {
    propose(account, user) {
      const secret = new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer })
      const uri = new TOTP({ ...FORM, secret, label: `${account}: ${user}` }).toString()
      return { secret: secret.base32, uri }
    },
    async set(account, user, given) {
      const secret = secretIn(given.secret)
      if (secret === null) return { refused: { code: 'field_invalid', field: 'secret', detail: SECRET_RULE } }
      const step = stepOf(secret, given.code)
      if (step === null) return REFUSED
      const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(random.bytes(RECOVERY_BYTES)))
      const recovery = recoveryCodes.map(hashOf)
      const reference = await vault.storeText(account, 'one-time-codes', secret.base32, user.id)
      const command = { type: 'set_codes', vault: reference, step, recovery } as const
      const executed = await engine.execute(USER, { account, id: user.id }, command)
      if ('refused' in executed) return executed
      await forget(account, user)
      return { recoveryCodes }
    },
    async remove(account, user) {
      const executed = await engine.execute(USER, { account, id: user.id }, { type: 'remove_codes' })
      if ('refused' in executed) return executed
      await forget(account, user)
      return null
    },
    async use(account, user, given) {
      const { oneTimeCodes } = user
      if (!oneTimeCodes) return REFUSED
      const code = given.replaceAll(/[\s-]/g, '').toLowerCase()
      if (!/^\d{6}$/.test(code)) return use({ type: 'use_recovery_code', hash: hashOf(code) })
      const stored = await vault.openText(account, 'one-time-codes', oneTimeCodes.vault)
      const step = stored === null ? null : stepOf(Secret.fromBase32(stored), code)
      return step === null ? REFUSED : use({ type: 'use_code', step })

      async function use(command: { type: 'use_code'; step: number } | { type: 'use_recovery_code'; hash: string }) {
        const executed = await engine.execute(USER, { account, id: user.id }, command)
        return 'refused' in executed ? executed : null
      }
    },
  }
}

const SECRET_RULE = `must be ${SHORTEST_SECRET_BYTES} to ${LONGEST_SECRET_BYTES} bytes in base 32.`

function secretIn(text: string): Secret | null {
  const plain = text.replaceAll(/[\s=]/g, '').toUpperCase()
  if (!/^[A-Z2-7]+$/.test(plain)) return null
  const secret = Secret.fromBase32(plain)
  return secret.bytes.length >= SHORTEST_SECRET_BYTES && secret.bytes.length <= LONGEST_SECRET_BYTES ? secret : null
}

/** Four groups of four letters and digits, none of which are mixed up easily. */
function recoveryCode(bytes: Uint8Array): string {
  const text = new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32.toLowerCase()
  return text.match(/.{4}/g)?.join('-') ?? text
}

function hashOf(code: string): string {
  return hash('sha256', code.replaceAll('-', ''), 'hex')
}
