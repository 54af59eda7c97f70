// test/unit/three-d-secure/emv/results.test.ts — only an ARes or an RReq decides, each is stored once, and nothing is sent twice.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { money } from '../../../../src/domain/money.ts'
import type { Store } from '../../../../src/engine/ports/store.ts'
import type { AuthenticationOrder } from '../../../../src/engine/ports/three-d-secure.ts'
import { openMemoryStore } from '../../../../src/store/sqlite/memory-store.ts'
import { CARDS, type Json, openConnector, openScheme, VALUE, vaultOf } from '../../../support/emv/scheme.ts'
import { TestClock } from '../../../support/test-clock.ts'

const ORDER: AuthenticationOrder = {
  ...{ authenticationId: 'a1', account: 'demo', card: CARDS.challenged, amount: money(2599, 'GBP') },
  ...{ currencyNumeric: '826', orderId: 'R-1', mustChallenge: false },
  browser: {
    ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', acceptLanguage: [], language: 'en', javaEnabled: false },
    ...{ colourDepth: 24, screenHeight: 800, screenWidth: 600, timeZoneMinutes: 0 },
  },
}
const UNAVAILABLE = { type: 'authentication_failed', status: 'U', reason: 'unavailable' }

function open(store: Store = openMemoryStore()) {
  const [scheme, clock] = [openScheme(), new TestClock()]
  return { scheme, clock, store, ...openConnector(scheme, store, clock) }
}

/** A payer who is being challenged. */
async function challenged(store?: Store) {
  const opened = open(store)
  const report = await opened.server.lookUp(ORDER)
  ok(report.type === 'challenge_requested')
  const id = String(opened.scheme.areqs.at(-1)?.['threeDSServerTransID'])
  const receive = async (changes: Json = {}, account = 'demo') =>
    said(await opened.receive(account, opened.scheme.rreq(id, changes)))
  return {
    ...opened,
    ...report.challenge,
    id,
    receive,
    result: () => opened.server.resultOf('demo', report.challenge.md),
  }
}

/** `RRes 01`, `Erro 301 dsTransID`, or nothing. */
function said(answer: string | null): string {
  const { messageType, resultsStatus, errorCode, errorDetail } = JSON.parse(answer ?? '{}') as Readonly<
    Record<string, string>
  >
  return messageType === 'RRes'
    ? `RRes ${resultsStatus}`
    : messageType === 'Erro'
      ? `Erro ${errorCode} ${errorDetail}`
      : ''
}

describe('a result', () => {
  test('case 27: is stored, confirmed, and is the proof of the payment', async () => {
    const { receive, result, id, scheme } = await challenged()
    equal(await result(), 'pending')
    equal(await receive(), 'RRes 01')
    const { acsTransID, dsTransID, messageVersion } = JSON.parse(scheme.rreq(id)) as Readonly<Record<string, string>>
    deepEqual(await result(), {
      type: 'authenticated',
      proof: {
        ...{ version: '2.0', status: 'Y', challenged: true, eci: '05', value: VALUE },
        ...{ directoryServerTransactionId: dsTransID, threeDSServerTransactionId: id },
        ...{ acsTransactionId: acsTransID, messageVersion },
        liability: 'issuer',
      },
    })
  })

  test.each([
    [{ transStatus: 'N', transStatusReason: '01' }, 'RRes 01', 'not_authenticated'],
    [{ transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }, 'RRes 01', 'cancelled'],
    [{ transStatus: 'N', transStatusReason: '14', challengeCancel: '05' }, 'RRes 02', 'timed_out'],
    [{ transStatus: 'R', transStatusReason: '11' }, 'RRes 01', 'rejected'],
    [{ transStatus: 'U', transStatusReason: '22' }, 'RRes 01', 'unavailable'],
  ] as const)('case 28: %j fails, also with a value', async (changes, answer, reason) => {
    const { receive, result } = await challenged()
    equal(await receive(changes), answer)
    const report = await result()
    equal(report !== 'pending' && report.type === 'authentication_failed' && report.reason, reason)
  })

  test('case 35: that is repeated is confirmed again, and another one changes nothing', async () => {
    const { receive, result } = await challenged()
    equal(await receive(), 'RRes 01')
    const first = await result()
    equal(await receive(), 'RRes 01')
    equal(await receive({ transStatus: 'N', transStatusReason: '01' }), 'Erro 305 transStatus')
    deepEqual(await result(), first)
  })

  test('case 59: leaves its value in the vault only, and proves nothing once that is deleted', async () => {
    const store = openMemoryStore()
    const { receive, result } = await challenged(store)
    equal(await receive(), 'RRes 01')
    const [note] = await store.list('demo', { kind: 'authentication', limit: 10 })
    ok(note !== undefined && !note.body.includes(VALUE))
    const { vault } = (JSON.parse(note.body) as { result: { proof: { value: { vault: string } } } }).result.proof.value
    equal(await vaultOf(store).openText('demo', 'authentication-value', vault), VALUE)
    await vaultOf(store).forget('demo', vault)
    deepEqual(await result(), UNAVAILABLE)
  })

  test('case 33: outlives the process that has stored it', async () => {
    const store = openMemoryStore()
    const { receive, md, scheme, id } = await challenged(store)
    equal(await receive(), 'RRes 01')
    const after = openConnector(scheme, store, new TestClock())
    const report = await after.server.resultOf('demo', md)
    equal(report !== 'pending' && report.type, 'authenticated')
    equal(said(await after.receive('demo', scheme.rreq(id))), 'RRes 01')
  })

  const OTHER = '00000000-0000-4000-8000-000000000000'

  test.each([
    [{ threeDSServerTransID: OTHER }, 'Erro 301 threeDSServerTransID'],
    [{ acsTransID: OTHER }, 'Erro 301 acsTransID'],
    [{ acsTransID: OTHER, dsTransID: OTHER }, 'Erro 301 acsTransID,dsTransID'],
    [{ messageVersion: '2.1.0' }, 'Erro 203 messageVersion'],
    [{ messageCategory: '02' }, 'Erro 305 messageCategory'],
    [{ authenticationValue: undefined }, 'Erro 201 authenticationValue'],
    [{ transStatus: 'C' }, 'Erro 203 transStatus'],
    [{ messageType: 'ARes' }, 'Erro 101 messageType'],
  ] as const)('case 36: with %j is refused, and the payer is still waited for', async (changes, answer) => {
    const { receive, result } = await challenged()
    equal(await receive(changes), answer)
    equal(await result(), 'pending')
    equal(await receive(), 'RRes 01')
  })

  test('case 36: at the address of another account is not known', async () => {
    const { receive, result } = await challenged()
    equal(await receive({}, 'other'), 'Erro 301 threeDSServerTransID')
    equal(await result(), 'pending')
  })

  test('case 36: from the directory server of another scheme is not known', async () => {
    const { receiverOf, receive, result, scheme, id } = await challenged()
    const foreign = await receiverOf('MASTERCARD')('demo', scheme.rreq(id))
    equal(said(foreign), 'Erro 301 threeDSServerTransID')
    equal(await result(), 'pending')
    equal(await receive(), 'RRes 01')
  })

  test('that is an Erro, well-formed or not, is never answered', async () => {
    const { receive } = await challenged()
    const erro = { messageType: 'Erro', errorCode: '404', errorComponent: 'D', errorDescription: 'a', errorDetail: 'b' }
    deepEqual([await receive(erro), await receive({ ...erro, errorCode: '4' })], ['', ''])
  })

  test('of an authentication without a challenge contradicts it', async () => {
    const { server, scheme, receive } = open()
    await server.lookUp({ ...ORDER, card: CARDS.frictionless })
    const id = String(scheme.areqs[0]?.['threeDSServerTransID'])
    equal(
      said(await receive('demo', scheme.rreq(id, { transStatus: 'N', transStatusReason: '01' }))),
      'Erro 305 transStatus',
    )
  })

  test('case 31: that comes before the answer to the AReq is stored waits for it', async () => {
    const { scheme, server, receive, clock } = open()
    let answered: Promise<string | null> | undefined
    scheme.beforeAnswer = async ({ threeDSServerTransID: id }) => {
      answered = receive('demo', scheme.rreq(String(id)))
      return null
    }
    const report = await server.lookUp(ORDER)
    await clock.advance(100)
    equal(said((await answered) ?? null), 'RRes 01')
    ok(report.type === 'challenge_requested')
    const result = await server.resultOf('demo', report.challenge.md)
    equal(result !== 'pending' && result.type, 'authenticated')
  })

  test('case 31: that comes long before it gets an Erro, after which it is sent again', async () => {
    const { scheme, server, receive, clock } = open()
    let answered: Promise<string | null> | undefined
    scheme.beforeAnswer = async ({ threeDSServerTransID: id }) => {
      answered = receive('demo', scheme.rreq(String(id)))
      await clock.advance(1_000)
      return null
    }
    await server.lookUp(ORDER)
    equal(said((await answered) ?? null), 'Erro 403 threeDSServerTransID')
    equal(said(await receive('demo', scheme.rreq(String(scheme.areqs[0]?.['threeDSServerTransID'])))), 'RRes 01')
  })

  test('case 44: that cannot be stored is not confirmed', async () => {
    const memory = openMemoryStore()
    let down = false
    const store: Store = {
      ...memory,
      commit: commit => (down ? Promise.reject(new Error('the disk is full')) : memory.commit(commit)),
    }
    const { receive, result } = await challenged(store)
    down = true
    equal(await receive(), 'Erro 403 Transient system failure')
    equal(await result(), 'pending')
    down = false
    equal(await receive(), 'RRes 01')
  })
})

describe('a request', () => {
  test('case 34: is not sent again by a process that finds it sent and without an answer', async () => {
    const store = openMemoryStore()
    const { scheme, server } = open(store)
    scheme.beforeAnswer = () => new Promise(() => {})
    void server.lookUp(ORDER)
    while (scheme.areqs.length === 0) await new Promise(resolve => setImmediate(resolve))
    const after = openConnector(openScheme(), store, new TestClock())
    deepEqual(await after.server.lookUp(ORDER), UNAVAILABLE)
    deepEqual(await after.server.lookUp(ORDER), UNAVAILABLE)
    equal(scheme.areqs.length, 1)
  })

  test('case 39: whose answer comes after it was closed changes nothing', async () => {
    const store = openMemoryStore()
    const { scheme, server } = open(store)
    const after = openConnector(openScheme(), store, new TestClock())
    scheme.beforeAnswer = async () => {
      deepEqual(await after.server.lookUp(ORDER), UNAVAILABLE)
      return null
    }
    deepEqual(await server.lookUp(ORDER), UNAVAILABLE)
  })

  test('is noted before it is sent, so none is sent when the note cannot be written', async () => {
    const memory = openMemoryStore()
    const { scheme, server } = open({ ...memory, commit: () => Promise.reject(new Error('the disk is full')) })
    await rejects(() => server.lookUp(ORDER), /disk is full/)
    deepEqual(scheme.areqs, [])
  })

  test('case 41: that is sent again in a lower version has another id, and the result is that of the second', async () => {
    const { scheme, server, receive } = open()
    scheme.beforeAnswer = async ({ messageVersion, threeDSServerTransID }) => {
      const erro = { messageType: 'Erro', messageVersion, errorCode: '102', errorComponent: 'D', threeDSServerTransID }
      const body = JSON.stringify({ ...erro, errorDescription: 'a', errorDetail: 'b' })
      return messageVersion === '2.2.0' ? { status: 200, body } : null
    }
    const report = await server.lookUp(ORDER)
    equal(report.type, 'challenge_requested')
    const [first = '', second = ''] = scheme.areqs.map(areq => String(areq['threeDSServerTransID']))
    const rreq = (id: string) => scheme.rreq(id, { messageVersion: '2.1.0' })
    match301(said(await receive('demo', rreq(first))))
    equal(said(await receive('demo', rreq(second))), 'RRes 01')
  })

  test('without the browser, or for an account that is not registered, is not sent', async () => {
    const { scheme, server } = open()
    const { browser: _, ...order } = ORDER
    deepEqual(await server.lookUp(order), UNAVAILABLE)
    deepEqual(await server.lookUp({ ...ORDER, account: 'other' }), UNAVAILABLE)
    deepEqual(scheme.areqs, [])
  })

  test('case 58: leaves no card number in the store, and names the account in the address for its result', async () => {
    const store = openMemoryStore()
    const { scheme } = await challenged(store)
    const bodies = (await store.list('demo', { kind: 'authentication', limit: 10 })).map(({ body }) => body)
    equal(bodies.length, 1)
    ok(!bodies.join().includes(CARDS.challenged.number.reveal()))
    equal(scheme.areqs[0]?.['threeDSServerURL'], 'https://gw.example/results/demo')
  })
})

function match301(answer: string): void {
  ok(answer.startsWith('Erro 301 '), answer)
}
