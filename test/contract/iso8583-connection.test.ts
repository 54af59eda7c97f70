// test/contract/iso8583-connection.test.ts — the connection to an ISO 8583 host that is a process of its own with another codec.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import type { Outcome } from '../../src/acquirers/iso8583/connection/exchanges.ts'
import {
  createHostConnection,
  type HostConnection,
  type HostConnectionParts,
} from '../../src/acquirers/iso8583/connection/host-connection.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import type { Message } from '../../src/acquirers/iso8583/message-codec.ts'
import { createSocketOpener } from '../../src/platform/socket-opener.ts'
import { type AcquirerHost, hostDialect, startAcquirerHost, until } from '../support/acquirer-host.ts'
import { testAuthority } from '../support/authority.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { keepingLog } from '../support/silent-log.ts'
import { TestClock } from '../support/test-clock.ts'

let host: AcquirerHost
beforeAll(async () => {
  host = await startAcquirerHost()
})
afterAll(() => host.end())

const opened: HostConnection[] = []
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close(0)
})

interface Bench {
  readonly connection: HostConnection
  readonly clock: TestClock
  readonly log: ReturnType<typeof keepingLog>
  /** Sends a sale of a terminal. */
  send(stan: string, terminal?: string): Promise<Outcome>
}

const { timers: TIMERS, identity: IDENTITY } = hostDialect().document
const LOCAL = '127.0.0.1'

function bench(port: number, changes: Partial<DialectDocument> = {}, given: Partial<HostConnectionParts> = {}): Bench {
  const clock = new TestClock()
  const log = keepingLog()
  let stan = 900_000
  const connection = createHostConnection({
    ...{ dialect: hostDialect(changes), addresses: [{ host: LOCAL, port }], tls: null, clock, log, keys: null },
    ...{ opener: createSocketOpener({ clock }), random: new SeededRandom(1), timeZone: 'Europe/London' },
    settings: { 41: 'NET00001' },
    nextStan: async () => {
      stan += 1
      return String(stan)
    },
    ...given,
  })
  opened.push(connection)
  const send: Bench['send'] = async (number, terminal) => {
    const slot = await connection.acquire(TIMERS.answerMs)
    if (slot === null) return { outcome: 'not_sent', why: 'no slot' }
    return slot.send(sale(number, terminal), { limitMs: TIMERS.answerMs })
  }
  return { connection, clock, log, send }
}

async function connected(...args: Parameters<typeof bench>): Promise<Bench> {
  const made = bench(...args)
  await made.connection.start()
  equal(made.connection.problem, null)
  return made
}

function sale(stan: string, terminal = '29110001'): Message {
  return {
    mti: '0200',
    fields: {
      ...{ 2: '4761739001010119', 3: '000000', 4: '2599', 7: '0506130327', 11: stan, 12: '140327', 13: '0506' },
      ...{ 18: '5411', 22: '012', 25: '00', 32: '123456', 37: `612613${stan}`, 41: terminal, 42: 'SHOP', 49: '826' },
    },
  }
}

function codeOf(outcome: Outcome): unknown {
  ok(outcome.outcome === 'answered', JSON.stringify(outcome))
  return outcome.answer.fields[39]
}

test('it signs on before anything else, and an answer finds its request', async () => {
  const { send, connection } = await connected(await host.open())
  equal(codeOf(await send('000001')), '00')
  deepEqual(
    (await host.seen()).map(fields => [fields['0'], fields['70'] ?? '', fields['11']]),
    [
      ['0800', '001', '900001'],
      ['0200', '', '000001'],
    ],
  )
  equal(typeof (await connection.echo()), 'number')
})

test('fifty answers in another order than the requests each find their own, also those with equal numbers', async () => {
  const { send } = await connected(await host.open())
  const count = 50
  await host.deeds('0200', ...Array.from({ length: count }, () => ({ deed: 'late' }) as const))
  const sent = Array.from({ length: count }, (_, index) =>
    send(String(1 + Math.floor(index / 2)).padStart(6, '0'), `2911000${index % 2}`),
  )
  await until(async () => (await host.held()) === count, 'fifty requests')
  await host.release(Array.from({ length: count }, (_, index) => (index * 7 + 3) % count))
  for (const [index, outcome] of (await Promise.all(sent)).entries()) {
    ok(outcome.outcome === 'answered')
    equal(outcome.answer.fields[41], `2911000${index % 2}`)
    equal(outcome.answer.fields[11], String(1 + Math.floor(index / 2)).padStart(6, '0'))
  }
})

describe('a cut', () => {
  test('before the message is written leaves it unsent', async () => {
    const { connection } = await connected(await host.open())
    const slot = await connection.acquire(0)
    await host.cut()
    await until(() => connection.address === null, 'the end of the connection')
    equal((await slot?.send(sale('000001'), { limitMs: 1 }))?.outcome, 'not_sent')
    deepEqual(await host.seen('0200'), [])
  })

  test.each(['cutBefore', 'cutAfter', 'cutMiddle'] as const)(
    'by the host (%s) leaves it unanswered at once',
    async deed => {
      const { send } = await connected(await host.open())
      await host.deeds('0200', { deed })
      const outcome = await send('000001')
      ok(outcome.outcome === 'unanswered')
      match(outcome.why, /^the connection was lost: /)
    },
  )

  test('of one connection does not end what was sent on the next', async () => {
    const { send, clock, connection } = await connected(await host.open())
    await host.deeds('0200', { deed: 'cutAfter' }, { deed: 'late' })
    equal((await send('000001')).outcome, 'unanswered')
    await until(() => connection.problem !== null, 'the end')
    await clock.advance(1_000)
    await until(() => connection.address !== null, 'a connection')
    const second = send('000002')
    await until(async () => (await host.held()) === 1, 'the second request')
    await host.release()
    equal(codeOf(await second), '00')
  })
})

test('no answer in time is unanswered; a late answer is handed over once, and the second one dropped', async () => {
  const { connection, clock, log } = await connected(await host.open())
  await host.deeds('0200', { deed: 'late' })
  const late: unknown[] = []
  const slot = await connection.acquire(0)
  const sent = slot?.send(sale('000001'), { limitMs: 20_000, onLate: answer => late.push(answer.fields[39]) })
  await until(async () => (await host.held()) === 1, 'the request')
  await clock.advance(19_999)
  await clock.advance(1)
  deepEqual(await sent, { outcome: 'unanswered', why: 'no answer within 20000 ms' })
  await host.release()
  await until(() => late.length === 1, 'the late answer')
  deepEqual(late, ['00'])
  await host.ask({ '0': '0210', '3': '000000', '11': '000001', '39': '00', '41': '29110001' })
  await until(() => log.lines.some(({ message }) => message === 'duplicate answer of the host'), 'the line of the log')
  deepEqual(late, ['00'])
})

test('a repeated answer is dropped, and an answer to nothing as well', async () => {
  const { send, log } = await connected(await host.open())
  await host.deeds('0200', { deed: 'twice' })
  equal(codeOf(await send('000001')), '00')
  await host.ask({ '0': '0210', '11': '777777', '39': '00', '41': '29110001' })
  await until(() => log.lines.length >= 3, 'two lines of the log')
  deepEqual(
    log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message),
    ['duplicate answer of the host', 'unasked answer of the host'],
  )
})

test('an answer without a field by which it is found times out, and the log says why', async () => {
  const { send, clock, log } = await connected(await host.open())
  await host.deeds('0200', { deed: 'noTerminal' })
  const sent = send('000001')
  const isLogged = () => log.lines.some(({ fields }) => JSON.stringify(fields['missing']) === '[41]')
  await until(isLogged, 'the line of the log')
  await clock.advance(TIMERS.answerMs)
  equal((await sent).outcome, 'unanswered')
  const without = await connected(await host.open(), { identity: { ...IDENTITY, match: [11] } })
  await host.deeds('0200', { deed: 'noTerminal' })
  equal(codeOf(await without.send('000001')), '00')
})

test('an interim answer lets the wait begin anew', async () => {
  const { connection } = await connected(await host.open())
  await host.deeds('0200', { deed: 'interim', code: '09' })
  const slot = await connection.acquire(0)
  const isInterim = ({ fields }: { readonly fields: Message['fields'] }) => fields[39] === '09'
  equal(
    codeOf((await slot?.send(sale('000001'), { limitMs: 20_000, isInterim })) ?? { outcome: 'not_sent', why: '' }),
    '00',
  )
})

test('it tries the addresses in turn, and waits longer after each round', async () => {
  const port = await host.open()
  await host.close()
  const random = { bytes: () => Uint8Array.of(0), uuid: () => '' }
  const addresses = [
    { host: LOCAL, port: 1 },
    { host: LOCAL, port },
  ] as const
  const { connection, clock, log } = bench(port, {}, { addresses, random })
  await connection.start()
  const attempts = () => log.lines.map(({ fields }) => [fields['address'], fields['pauseMs']])
  const expected: (readonly [string, number])[] = []
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await clock.advance(0)
    expected.push([`${LOCAL}:1`, 0], [`${LOCAL}:${port}`, seconds * 1_000])
    await until(() => attempts().length === expected.length, 'both addresses')
    deepEqual(attempts(), expected)
    await clock.advance(seconds * 1_000 - 1)
    equal(attempts().length, expected.length)
    await clock.advance(1)
    await until(() => attempts().length > expected.length, 'the first address again')
  }
})

test('the second address is used when the first one is down', async () => {
  const port = await host.open()
  const { connection, clock } = bench(
    port,
    {},
    {
      addresses: [
        { host: LOCAL, port: 1 },
        { host: LOCAL, port },
      ],
    },
  )
  await connection.start()
  await clock.advance(0)
  await until(() => connection.address !== null, 'the second address')
  deepEqual(connection.address, { host: LOCAL, port })
})

test('nothing is sent to a host that refuses the sign-on', async () => {
  const { connection, clock, send } = bench(await host.open({ signOnCode: '91' }))
  await connection.start()
  match(connection.problem ?? '', /sign-on: refused with code 91/)
  const sent = send('000001')
  await clock.advance(TIMERS.answerMs)
  equal((await sent).outcome, 'not_sent')
  deepEqual(await host.seen('0200'), [])
})

test('echoes of the host are answered while requests are under way', async () => {
  const { send } = await connected(await host.open())
  await host.deeds('0200', { deed: 'late' }, { deed: 'late' })
  const sent = [send('000001'), send('000002')]
  await until(async () => (await host.held()) === 2, 'two requests')
  await host.ask({ '0': '0800', '7': '0506130400', '11': '000777', '70': '301' })
  await host.ask({ '0': '0800', '7': '0506130401', '11': '000778', '70': '161' })
  await until(async () => (await host.seen('0810')).length === 2, 'two answers')
  const answers = (await host.seen('0810')).map(fields => [fields['11'], fields['39'], fields['70'], fields['7']])
  deepEqual(answers, [
    ['000777', '00', '301', '0506130400'],
    ['000778', '12', '161', '0506130401'],
  ])
  await host.release()
  for (const outcome of await Promise.all(sent)) equal(codeOf(outcome), '00')
})

test('a host that begins a new settlement day is answered, and the log has its date', async () => {
  const { send, log } = await connected(await host.open())
  await host.ask({ '0': '0800', '7': '0506130400', '11': '000777', '15': '0507', '70': '201' })
  await until(async () => (await host.seen('0810')).length === 1, 'the answer')
  equal((await host.seen('0810'))[0]?.['39'], '00')
  const [line] = log.lines.filter(({ message }) => message === 'the host has begun a new settlement day')
  equal(line?.fields['settlementDate'], '0507')
  equal(codeOf(await send('000001')), '00')
})

test('a host that signs off is signed on to again', async () => {
  const { connection, clock } = await connected(await host.open())
  await host.ask({ '0': '0800', '7': '0506130400', '11': '000777', '70': '002' })
  await until(() => connection.address === null && connection.problem !== null, 'the end of the connection')
  match(connection.problem ?? '', /the host has signed off/)
  await clock.advance(1_000)
  await until(() => connection.address !== null, 'the next connection')
  equal((await host.seen('0800')).length, 2)
})

test('after two echoes without an answer the connection is opened again', async () => {
  const { connection, clock } = await connected(await host.open())
  await host.deeds('0800', { deed: 'silent' }, { deed: 'silent' })
  const echoes = async () => (await host.seen('0800')).filter(fields => fields['70'] === '301').length
  await clock.advance(TIMERS.echoMs)
  await until(async () => (await echoes()) === 1, 'the first echo')
  await clock.advance(TIMERS.answerMs)
  await clock.advance(0)
  await until(async () => (await echoes()) === 2, 'the second echo')
  await clock.advance(TIMERS.answerMs)
  await until(() => connection.problem !== null, 'the end of the connection')
  match(connection.problem ?? '', /2 echoes were not answered/)
  await clock.advance(1_000)
  await until(() => connection.address !== null, 'the next connection')
  equal(await host.connections(), 2)
})

test('no more requests are under way than the window has places, and reversals go first', async () => {
  const { connection, clock } = await connected(await host.open(), { timers: { ...TIMERS, window: 1 } })
  const order: string[] = []
  const held = await connection.acquire(0)
  const others = connection.acquire(10_000).then(slot => order.push('other') && slot?.release())
  const first = connection.acquire(10_000, true).then(slot => order.push('first') && slot?.release())
  const given = connection.acquire(5_000).then(slot => order.push(String(slot)))
  await clock.advance(5_000)
  held?.release()
  await Promise.all([others, first, given])
  deepEqual(order, ['null', 'first', 'other'])
})

test('closing takes no more requests, waits for answers, and signs off', async () => {
  const { connection, send } = await connected(await host.open())
  await host.deeds('0200', { deed: 'late' })
  const sent = send('000001')
  await until(async () => (await host.held()) === 1, 'the request')
  const closing = connection.close(60_000)
  equal(await connection.acquire(0), null)
  await host.release()
  equal(codeOf(await sent), '00')
  await closing
  deepEqual(
    (await host.seen('0800')).map(fields => fields['70']),
    ['001', '002'],
  )
})

describe('over TLS', () => {
  const authority = testAuthority('host authority')
  const server = authority.issue('localhost')
  const client = authority.issue('gateway.example')
  const tls = { cert: server.cert, key: server.key }
  const trusting = { authorities: authority.root, serverName: 'localhost' }

  test('a host with the right certificate is used, also one that asks for ours', async () => {
    const plain = await connected(await host.open({ tls }), {}, { tls: trusting })
    equal(codeOf(await plain.send('000001')), '00')
    const port = await host.open({ tls: { ...tls, ca: authority.root } })
    const both = await connected(port, {}, { tls: { ...trusting, certificate: client.cert, privateKey: client.key } })
    equal(codeOf(await both.send('000001')), '00')
  })

  test('another name, another authority and an expired certificate are not trusted', async () => {
    const day = 86_400_000
    const past = { from: Date.now() - 9 * day, to: Date.now() - day }
    const expired = authority.issue('localhost', past)
    const right = await host.open({ tls })
    for (const [given, why] of [
      [{ ...trusting, serverName: 'other.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [{ ...trusting, authorities: testAuthority('stranger').root }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ] as const) {
      const { connection } = bench(right, {}, { tls: given })
      await connection.start()
      equal(connection.problem, `${LOCAL}:${right}: untrusted: ${why}`)
    }
    const port = await host.open({ tls: expired })
    const { connection } = bench(port, {}, { tls: trusting })
    await connection.start()
    equal(connection.problem, `${LOCAL}:${port}: untrusted: CERT_HAS_EXPIRED`)
    deepEqual(await host.seen(), [])
  })

  test('a host that misses our certificate refuses, and is told so', async () => {
    const port = await host.open({ tls: { ...tls, ca: authority.root } })
    const { connection } = bench(port, {}, { tls: trusting })
    await connection.start()
    match(connection.problem ?? '', /CERTIFICATE_REQUIRED/)
  })
})
