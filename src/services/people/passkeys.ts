// src/services/people/passkeys.ts — users add passkeys (WebAuthn) and sign in by them. ADR 78.
import { Buffer } from 'node:buffer'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { maskCardNumbers } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Passkey } from '../../domain/people/factors.ts'
import type { User } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine } from '../../engine/engine.ts'
import { USER } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import { CHALLENGE_MS, createChallenges } from './challenges.ts'
import type { Users } from './users.ts'

interface Refused {
  readonly refused: Refusal
}

/** The pages that a passkey is for. */
export interface PasskeySite {
  /** Origin of the console. */
  readonly origin: string
}

export interface PasskeyOrder {
  /** What the user calls it. */
  readonly name: string
  /** What the browser made. */
  readonly credential: RegistrationResponseJSON
}

export interface Passkeys {
  /** What a browser needs to make a passkey. */
  creationOptions(user: User, site: PasskeySite): Promise<PublicKeyCredentialCreationOptionsJSON>
  add(user: User, order: PasskeyOrder, site: PasskeySite): Promise<{ readonly passkey: Passkey } | Refused>
  /** What a browser needs to ask for a passkey. The same for every account: nobody learns who has one. */
  requestOptions(site: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Finds the user of a passkey by what it has signed. */
  verify(
    account: MerchantAccountId,
    credential: AuthenticationResponseJSON,
    site: PasskeySite,
  ): Promise<{ readonly user: User } | Refused>
  remove(user: User, id: string): Promise<Refused | null>
}

export interface PasskeysParts {
  readonly engine: Engine
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Pick<Random, 'bytes'>
  readonly users: Pick<Users, 'list'>
}

const REFUSED: Refused = { refused: { code: 'passkey_refused' } }
const SIGN_IN = 'sign-in'

/** Read at the first use: most gateways start without it. */
const webAuthn = () => import('@simplewebauthn/server')

export function createPasskeys(parts: PasskeysParts): Passkeys {
  const { engine, vault, clock, users } = parts
  const challenges = createChallenges(parts)

  return {
    async creationOptions(user, { origin }) {
      const { generateRegistrationOptions } = await webAuthn()
      return generateRegistrationOptions({
        rpName: 'Tollgate',
        rpID: hostOf(origin),
        userName: user.id,
        userDisplayName: user.name,
        userID: await handleOf(vault, user),
        challenge: await challenges.make(additionBy(user)),
        timeout: CHALLENGE_MS,
        // A passkey is found without a name, and the device asks for a PIN or a finger: two factors in one.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: (user.passkeys ?? []).map(({ id, transports }) => ({ id, transports: [...transports] })),
      })
    },
    async add(user, { name, credential }, site) {
      const checked = createCheck(challenge => challenges.timeOf(additionBy(user), challenge))
      const { verifyRegistrationResponse } = await webAuthn()
      const verified = await verifyRegistrationResponse({
        response: credential,
        ...checked.expected,
        ...expectedOf(site),
      }).catch(() => null)
      if (!verified?.verified) return REFUSED
      const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
      const passkey: Passkey = {
        ...{ id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: [...transports] },
        ...{ name: maskCardNumbers(name), addedAt: clock.now(), usedAt: null, challengedAt: checked.madeAt() },
      }
      const executed = await engine.execute(USER, keyOf(user), { type: 'add_passkey', passkey })
      return 'refused' in executed ? executed : { passkey }
    },
    async requestOptions({ origin }) {
      const { generateAuthenticationOptions } = await webAuthn()
      return generateAuthenticationOptions({
        rpID: hostOf(origin),
        challenge: await challenges.make(SIGN_IN),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      })
    },
    async verify(account, credential, site) {
      const holder = (await users.list(account)).find(
        ({ status, passkeys = [] }) => status === 'active' && passkeys.some(({ id }) => id === credential.id),
      )
      const passkey = holder?.passkeys?.find(({ id }) => id === credential.id)
      if (holder === undefined || passkey === undefined) return REFUSED
      const checked = createCheck(challenge => challenges.timeOf(SIGN_IN, challenge))
      const { id, publicKey, counter } = passkey
      const { verifyAuthenticationResponse } = await webAuthn()
      const verified = await verifyAuthenticationResponse({
        response: credential,
        credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
        ...checked.expected,
        ...expectedOf(site),
      }).catch(() => null)
      if (!verified?.verified) return REFUSED
      const { newCounter } = verified.authenticationInfo
      const use = { id, counter: newCounter, challengedAt: checked.madeAt(), now: clock.now() }
      const executed = await engine.execute(USER, keyOf(holder), { type: 'use_passkey', ...use })
      if ('refused' in executed) return executed
      if (!('record' in executed)) throw new Error('users have no idempotency key')
      return { user: executed.record }
    },
    async remove(user, id) {
      const executed = await engine.execute(USER, keyOf(user), { type: 'remove_passkey', id })
      return 'refused' in executed ? executed : null
    },
  }
}

/** Checks a challenge, and remembers when it was made. */
function createCheck(timeOf: (challenge: string) => Promise<number | null>) {
  let madeAt: number | null = null
  return {
    expected: {
      async expectedChallenge(sent: string): Promise<boolean> {
        madeAt = await timeOf(Buffer.from(sent, 'base64url').toString('utf8'))
        return madeAt !== null
      },
    },
    madeAt(): number {
      if (madeAt === null) throw new Error('a signature was accepted whose challenge was not checked')
      return madeAt
    },
  }
}

function expectedOf({ origin }: PasskeySite) {
  return { expectedOrigin: origin, expectedRPID: hostOf(origin), requireUserVerification: true }
}

function hostOf(origin: string): string {
  return new URL(origin).hostname
}

/** What a signature of a new passkey means: this user wants it. */
function additionBy({ merchantAccount, id }: User): string {
  return JSON.stringify(['add', merchantAccount, id])
}

/** How an authenticator tells users apart. Always the same for a user, and without the name (WebAuthn, 14.6.1). */
async function handleOf(vault: Vault, { merchantAccount, id }: User): Promise<Uint8Array<ArrayBuffer>> {
  const tag = await vault.tagOf('passkey-user', JSON.stringify([merchantAccount, id]))
  return Uint8Array.from(Buffer.from(tag, 'base64url'))
}

function keyOf({ merchantAccount: account, id }: User) {
  return { account, id }
}
