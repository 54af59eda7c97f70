// src/simulator/three-d-secure/directory-server.ts — the simulated directory server: starts authentications, and reports the
// issuer's result.
import { hash } from 'node:crypto'
import type {
  AuthenticationReport,
  ThreeDSecureVersion,
  TransactionStatus,
} from '../../domain/online/three-d-secure.ts'
import { challengeId } from '../../engine/challenge-ids.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { AuthenticationOrder, DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import { createOnlineScripts } from '../acquirer/online-queue.ts'
import { onlineTestCardOf, type ThreeDSecureMode } from '../cards/online-test-cards.ts'
import { SIMULATED } from '../makes.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { createAuthenticationOverrides } from './authentication-overrides.ts'
import { type Authentication, createAuthentications, proofOf, SPOKEN } from './authentications.ts'

/** Paths of the issuers' pages. The gateway prepends its own address. */
const CHALLENGE_PATH = '/acs/challenge'
const DEVICE_DATA_PATH = '/acs/device-data'

/** Authentication status and version for each mode of a card. */
const BY_MODE: Readonly<
  Record<ThreeDSecureMode, { readonly status: 'Y' | 'C' | null; readonly version: ThreeDSecureVersion }>
> = {
  no: { status: null, version: '2.0' },
  'frictionless 2.0': { status: 'Y', version: '2.0' },
  '2.0': { status: 'C', version: '2.0' },
  '1.0': { status: 'C', version: '1.0' },
  yes: { status: 'C', version: '2.0' },
}

export interface DirectoryServerParts {
  readonly memory: SimulatedMemory
  readonly clocks: Clocks
}

/** Creates the directory server. A repeated order gets the same answer. */
export function createSimulatedDirectoryServer({ memory, clocks }: DirectoryServerParts): DirectoryServer {
  const authentications = createAuthentications(memory)
  const overrides = createAuthenticationOverrides(memory)
  const scripts = createOnlineScripts(memory)

  function decide(order: AuthenticationOrder, md: string): Authentication {
    const { number, holder } = order.card
    const known = onlineTestCardOf(number.reveal(), holder)
    const { status, version } = BY_MODE[known?.mode ?? 'no']
    const { status: scripted, pageFault } = scripts.of(order.account, order.authenticationId)
    const override = scripted === null ? overrides.take(order.account) : { status: scripted, fault: pageFault }
    // An order that demands a challenge gets one from every issuer that takes part.
    const asked = status === 'Y' && order.mustChallenge ? 'C' : status
    const named = { md, version, scheme: number.scheme }
    return {
      ...{ ...named, account: order.account },
      password: known?.password ?? null,
      maskedNumber: number.masked,
      amountMinor: order.amount.minor,
      currencyCode: order.currencyNumeric,
      fault: override?.fault ?? null,
      ...{ wrongTries: 0, codesSent: 1, result: null, resultKnownFrom: 0 },
      report: reportOf(override?.status ?? asked, named),
    }
  }

  return {
    name: SIMULATED,
    // Its page is one of this gateway's own.
    issuerPost: async () => null,
    deviceDataDone: async () => {},
    async deviceData({ number }) {
      const mode = onlineTestCardOf(number.reveal(), '')?.mode ?? 'no'
      const gathers = mode === '2.0' || mode === 'frictionless 2.0' || mode === 'yes'
      return gathers ? { formAction: DEVICE_DATA_PATH, token: 'simulated-device-data' } : null
    },
    async lookUp(order) {
      const md = challengeId(order.account, hash('sha256', order.authenticationId, 'hex'))
      const known = authentications.find(md)
      const authentication = known ?? decide(order, md)
      if (known === null) authentications.write(authentication)
      await memory.written()
      return authentication.report
    },
    async resultOf(account, md) {
      await memory.written()
      const found = await authentications.findAnywhere(account, md)
      if (found === null || found.account !== account)
        return { type: 'authentication_failed', status: 'U', reason: 'unavailable' }
      if (found.report.type !== 'challenge_requested') return found.report
      const isKnown = found.result !== null && clocks.of(account).now() >= found.resultKnownFrom
      return isKnown ? (found.result ?? 'pending') : 'pending'
    },
  }
}

function reportOf(
  status: TransactionStatus | null,
  named: Pick<Authentication, 'md' | 'version' | 'scheme'>,
): AuthenticationReport {
  const { md, version } = named
  switch (status) {
    case null:
      return { type: 'not_enrolled' }
    case 'Y':
    case 'A':
      return { type: 'authenticated', proof: proofOf(status, named, false) }
    case 'N':
      return { type: 'authentication_failed', status, reason: 'not_authenticated' }
    case 'R':
      return { type: 'authentication_failed', status, reason: 'rejected' }
    case 'U':
      return { type: 'authentication_failed', status, reason: 'unavailable' }
    case 'C':
      return {
        type: 'challenge_requested',
        challenge: { version, md, acsUrl: CHALLENGE_PATH, payload: payloadOf(version, md) },
      }
  }
}

/** Message for the issuer's page: a CReq as in EMV 3DS, or a stand-in for a version 1 PaReq. */
function payloadOf(version: ThreeDSecureVersion, md: string): string {
  const message = version === '2.0' ? { messageType: 'CReq', messageVersion: SPOKEN, acsTransID: md } : { PaReq: md }
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}
