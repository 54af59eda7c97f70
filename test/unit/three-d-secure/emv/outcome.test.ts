// test/unit/three-d-secure/emv/outcome.test.ts — what the gateway takes from answers, results and errors, case by case.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Message } from '../../../../src/three-d-secure/emv/codec.ts'
import {
  type Asked,
  type Outcome,
  outcomeOfAnswer,
  outcomeOfErro,
  outcomeOfResult,
} from '../../../../src/three-d-secure/emv/outcome.ts'

const IDS = {
  threeDSServerTransID: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6',
  acsTransID: '43163cd0-c849-4924-82c1-7bec32b94881',
  dsTransID: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
}
/** As a proof has it, of messages in 2.2.0. */
const TRANSACTION = {
  directoryServerTransactionId: IDS.dsTransID,
  threeDSServerTransactionId: IDS.threeDSServerTransID,
  acsTransactionId: IDS.acsTransID,
  messageVersion: '2.2.0',
}
const VALUE = 'mK225wGt2bLnnLB0UlRky0oHLnU='
const ASKED: Asked = {
  deviceChannel: '02',
  messageCategory: '01',
  mustChallenge: false,
  decoupled: false,
  scheme: 'VISA',
  md: 'm1',
}

function ares(members: Partial<Message<'ARes'>>): Message<'ARes'> {
  const references = { acsReferenceNumber: 'a', dsReferenceNumber: 'd' }
  return { messageType: 'ARes', ...IDS, ...references, ...members }
}

function rreq(members: Partial<Message<'RReq'>>): Message<'RReq'> {
  return { messageType: 'RReq', ...IDS, messageCategory: '01', ...members }
}

/** `Y 05`, `N not_authenticated`, `challenge`; behind it the Erro. */
function said({ report, objection }: Outcome): string {
  const texts = {
    not_enrolled: () => 'not_enrolled',
    challenge_requested: () => 'challenge',
    authenticated: () => (report.type === 'authenticated' ? `${report.proof.status} ${report.proof.eci}` : ''),
    exempted: () =>
      report.type === 'exempted'
        ? `I ${report.proof.eci} ${report.proof.exemption ?? 'none'} ${report.proof.liability}`
        : '',
    authentication_failed: () => (report.type === 'authentication_failed' ? `${report.status} ${report.reason}` : ''),
  }
  const erro = objection === null ? '' : `, Erro ${objection.code} ${objection.detail}`
  return `${texts[report.type]()}${erro}`
}

describe('case 18: answers by status, channel, category and what was asked for', () => {
  const CHALLENGE = { acsURL: 'https://acs.example/', acsChallengeMandated: 'Y' } as const
  const ANSWERS: Readonly<Record<string, Partial<Message<'ARes'>>>> = {
    Y: { transStatus: 'Y', authenticationValue: VALUE, eci: '05' },
    A: { transStatus: 'A', authenticationValue: VALUE },
    'Y without value': { transStatus: 'Y' },
    'A without value': { transStatus: 'A' },
    N: { transStatus: 'N', transStatusReason: '01' },
    'N of the system': { transStatus: 'N', transStatusReason: '14' },
    U: { transStatus: 'U', transStatusReason: '22' },
    'U of the card': { transStatus: 'U', transStatusReason: '11' },
    R: { transStatus: 'R', transStatusReason: '22' },
    C: { transStatus: 'C', ...CHALLENGE },
    D: { transStatus: 'D', acsDecConInd: 'Y' },
    'D unconfirmed': { transStatus: 'D', acsDecConInd: 'N' },
    I: { transStatus: 'I' },
    none: {},
  }
  const UNAVAILABLE = 'U unavailable'
  const NO_STATUS = 'U unavailable, Erro 203 transStatus'
  const NO_VALUE = 'U unavailable, Erro 201 authenticationValue'
  /** What every request gets; and what some get instead. */
  const ALWAYS: Readonly<Record<string, string>> = {
    Y: 'Y 05',
    A: 'A 06',
    'Y without value': NO_VALUE,
    'A without value': NO_VALUE,
    N: 'N not_authenticated',
    'N of the system': 'N unavailable',
    U: UNAVAILABLE,
    'U of the card': 'U not_authenticated',
    R: 'R rejected',
    C: 'challenge',
    D: NO_STATUS,
    'D unconfirmed': NO_STATUS,
    I: 'I 07 none merchant',
    none: NO_STATUS,
  }
  const REQUESTS = (['02', '03'] as const).flatMap(deviceChannel =>
    (['01', '02'] as const).flatMap(messageCategory =>
      [false, true].flatMap(mustChallenge =>
        [false, true].map(decoupled => ({ ...ASKED, deviceChannel, messageCategory, mustChallenge, decoupled })),
      ),
    ),
  )

  test.each(REQUESTS)(
    'channel $deviceChannel, category $messageCategory, challenge $mustChallenge, decoupled $decoupled',
    asked => {
      const expected = {
        ...ALWAYS,
        ...(asked.deviceChannel === '03' && { C: NO_STATUS }),
        ...(asked.mustChallenge && { I: UNAVAILABLE }),
        ...(asked.decoupled && { D: UNAVAILABLE, 'D unconfirmed': UNAVAILABLE }),
        // Only a payment must have a value.
        ...(asked.messageCategory === '02' && { 'Y without value': UNAVAILABLE, 'A without value': UNAVAILABLE }),
      }
      const found = Object.entries(ANSWERS).map(([name, members]) => [
        name,
        said(outcomeOfAnswer(ares(members), '2.2.0', asked)),
      ])
      deepEqual(Object.fromEntries(found), expected)
    },
  )

  test('a frictionless answer is not a passed challenge', () => {
    const { report } = outcomeOfAnswer(ares(ANSWERS['Y'] ?? {}), '2.2.0', { ...ASKED, mustChallenge: true })
    ok(report.type === 'authenticated')
    deepEqual(report.proof, {
      version: '2.0',
      status: 'Y',
      challenged: false,
      eci: '05',
      value: VALUE,
      ...TRANSACTION,
      liability: 'issuer',
    })
  })

  test.each([
    [{}, undefined, 'I 07 none merchant'],
    [{}, 'low_value', 'I 07 low_value merchant'],
    [{ eci: '06' }, 'transaction_risk_analysis', 'I 06 transaction_risk_analysis merchant'],
    [{ transChallengeExemption: '10' }, 'transaction_risk_analysis', 'I 07 low_value merchant'],
    [{ transChallengeExemption: '05' }, undefined, 'I 07 transaction_risk_analysis merchant'],
    [{ transChallengeExemption: '08' }, undefined, 'I 07 trusted_beneficiary merchant'],
    [{ transChallengeExemption: '11' }, undefined, 'I 07 corporate merchant'],
    [{ transChallengeExemption: '79' }, 'low_value', 'I 07 none merchant'],
  ] as const)('an informational answer %j to the exemption %s', (members, exemption, expected) => {
    const asked = { ...ASKED, ...(exemption !== undefined && { exemption }) }
    equal(said(outcomeOfAnswer(ares({ transStatus: 'I', ...members }), '2.3.1', asked)), expected)
  })

  test('an informational answer keeps the value that some issuers give, and its exemption is none of the proof of a full one', () => {
    const asked = { ...ASKED, exemption: 'low_value' } as const
    const { report } = outcomeOfAnswer(ares({ transStatus: 'I', authenticationValue: VALUE }), '2.2.0', asked)
    deepEqual(report, {
      type: 'exempted',
      proof: {
        ...{ version: '2.0', status: 'I', challenged: false, eci: '07', value: VALUE, liability: 'merchant' },
        ...{ ...TRANSACTION, exemption: 'low_value' },
      },
    })
    const exemptionOf = (eci: string) => {
      const proven = outcomeOfAnswer(ares({ transStatus: 'Y', authenticationValue: VALUE, eci }), '2.2.0', asked).report
      return proven.type === 'authenticated' ? (proven.proof.exemption ?? 'none') : proven.type
    }
    deepEqual([exemptionOf('05'), exemptionOf('07')], ['none', 'low_value'])
  })

  test('without the payer Mastercard has an indicator of its own, with which the issuer is liable', () => {
    const answer = ares({ transStatus: 'Y', authenticationValue: VALUE, eci: '07' })
    const liable = (['03', '02'] as const).map(deviceChannel => {
      const { report } = outcomeOfAnswer(answer, '2.2.0', { ...ASKED, scheme: 'MASTERCARD', deviceChannel })
      return report.type === 'authenticated' ? `${report.proof.eci} ${report.proof.liability}` : report.type
    })
    deepEqual(liable, ['07 issuer', '07 merchant'])
  })

  test('a challenge without an address is no challenge', () => {
    equal(said(outcomeOfAnswer(ares({ transStatus: 'C' }), '2.2.0', ASKED)), 'U unavailable, Erro 201 acsURL')
  })
})

describe('case 19: results by cancel code and status', () => {
  const FAILURES: Readonly<Record<string, readonly [n: string, u: string]>> = {
    '': ['N not_authenticated', 'U unavailable'],
    '01': ['N cancelled', 'U cancelled'],
    '02': ['N cancelled', 'U cancelled'],
    '03': ['N timed_out', 'U timed_out'],
    '04': ['N timed_out', 'U timed_out'],
    '05': ['N timed_out', 'U timed_out'],
    '06': ['N unavailable', 'U unavailable'],
    '07': ['N not_authenticated', 'U unavailable'],
    '08': ['N timed_out', 'U timed_out'],
    '09': ['N unavailable', 'U unavailable'],
    '10': ['N unavailable', 'U unavailable'],
    '80': ['N not_authenticated', 'U unavailable'],
  }

  test.each(Object.entries(FAILURES))('cancel code %s', (code, [denied, unable]) => {
    const of = (transStatus: 'N' | 'U' | 'R', reason = '01') =>
      said(
        outcomeOfResult(
          rreq({ transStatus, transStatusReason: reason, ...(code && { challengeCancel: code }) }),
          '2.2.0',
          ASKED,
        ),
      )
    deepEqual([of('N'), of('U'), of('R'), of('R', '22')], [denied, unable, 'R rejected', 'R rejected'])
  })

  test('a proven result is one, and without a value it is not', () => {
    const proof = { transStatus: 'Y', authenticationValue: VALUE, eci: '02' } as const
    const { report } = outcomeOfResult(rreq(proof), '2.2.0', { ...ASKED, scheme: 'MASTERCARD' })
    ok(report.type === 'authenticated')
    const { challenged, eci, messageVersion } = report.proof
    deepEqual([challenged, eci, messageVersion], [true, '02', '2.2.0'])
    equal(
      said(outcomeOfResult(rreq({ transStatus: 'Y' }), '2.2.0', ASKED)),
      'U unavailable, Erro 201 authenticationValue',
    )
  })

  test('case 18: an informational result exempts, unless a challenge was demanded', () => {
    const asked = { ...ASKED, exemption: 'low_value' } as const
    equal(said(outcomeOfResult(rreq({ transStatus: 'I' }), '2.2.0', asked)), 'I 07 low_value merchant')
    equal(
      said(outcomeOfResult(rreq({ transStatus: 'I' }), '2.2.0', { ...ASKED, mustChallenge: true })),
      'U unavailable',
    )
  })

  test.each(['999', '000', '102', '203', '305', '403', '405'])('an Erro %s proves nothing', errorCode => {
    const erro = { messageType: 'Erro', errorCode, errorComponent: 'D' } as const
    const settings = { erro305AsNotEnrolled: false }
    equal(said(outcomeOfErro(erro, settings)), 'U unavailable')
    const expected = errorCode === '305' ? 'not_enrolled' : 'U unavailable'
    equal(said(outcomeOfErro(erro, { erro305AsNotEnrolled: true })), expected)
  })
})
