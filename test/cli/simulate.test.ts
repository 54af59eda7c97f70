// test/cli/simulate.test.ts — the simulated acquirer as a process: real sockets, a codec that is not its own, faults, a kill.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, test } from 'vitest'
import plain87 from '../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import { otherCodec, otherFormats } from '../support/iso-8583-codec.ts'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { type Json, type SimulatedHost, simulatedHost } from './simulated-host.ts'
import { emptyDirectory, run } from './tollgate.ts'

const CARD = '4761739001010119'

/** Starts a host. Its dialect, if none is given, is the one that iso_8583 packs: ASCII with raw bitmaps. */
function openHost(args: readonly string[] = []): Promise<SimulatedHost> {
  const own = join(emptyDirectory(), 'dialect.json')
  const packing = { framing: { length: 'binary2' }, bitmap: 'raw', alwaysSecondary: true }
  writeFileSync(own, JSON.stringify({ ...plain87, ...packing }))
  return simulatedHost([...(args.includes('--dialect') ? [] : ['--dialect', own]), ...args])
}

/** A gateway that frames with two bytes of length. */
class Gateway {
  readonly socket: Socket
  private bytes = Buffer.alloc(0)
  private readonly waiting: (() => void)[] = []
  private isEnded = false

  constructor(socket: Socket) {
    this.socket = socket
    const wake = () => {
      for (const each of this.waiting.splice(0)) each()
    }
    socket.on('data', chunk => {
      this.bytes = Buffer.concat([this.bytes, chunk as Buffer])
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isEnded = true
      wake()
    })
  }

  /** The next message, without its length. Null when the connection ends before it is whole. */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const length = this.bytes.length < 2 ? null : this.bytes.readUInt16BE(0)
      if (length !== null && this.bytes.length >= 2 + length) {
        const body = this.bytes.subarray(2, 2 + length)
        this.bytes = this.bytes.subarray(2 + length)
        return body
      }
      if (this.isEnded) return null
      await new Promise<void>(resolve => this.waiting.push(resolve))
    }
  }

  /** Bytes of a message that is not whole. */
  get rest(): number {
    return this.bytes.length
  }

  send(fields: Readonly<Record<number, string>>): void {
    const packed = otherCodec(fields, otherFormats).getBufferMessage()
    ok(Buffer.isBuffer(packed), JSON.stringify(packed))
    this.socket.write(packed)
  }

  /** The fields of the next message, as iso_8583 reads them. */
  async answer(): Promise<Readonly<Record<string, string>> | null> {
    const body = await this.next()
    return body === null ? null : otherCodec({}, otherFormats).getIsoJSON(body, { lenHeader: false })
  }

  async ask(fields: Readonly<Record<number, string>>): Promise<Readonly<Record<string, string>> | null> {
    this.send(fields)
    return this.answer()
  }
}

const SIGN_ON = { 0: '0800', 7: '1128093000', 11: '000099', 41: '29110001', 70: '001' }

async function connected({ port }: SimulatedHost, { signsOn = true } = {}): Promise<Gateway> {
  const socket = connectTcp(port, '127.0.0.1')
  await once(socket, 'connect')
  const gateway = new Gateway(socket)
  if (signsOn) equal((await gateway.ask(SIGN_ON))?.['39'], '00')
  return gateway
}

function sale(stan: string, change: Readonly<Record<number, string>> = {}): Readonly<Record<number, string>> {
  return {
    ...{ 0: '0200', 2: CARD, 3: '000000', 4: '000000002599', 7: '1128093005', 11: stan, 12: '093005', 13: '1128' },
    ...{ 18: '5411', 22: '051', 25: '00', 32: '010031', 37: `633309${stan}`, 41: '29110001', 42: '811234567890101' },
    ...{ 43: 'A SHOP'.padEnd(40), 49: '826', ...change },
  }
}

function reversalOf(stan: string, own: string): Readonly<Record<number, string>> {
  const { 43: _name, ...kept } = sale(own, { 0: '0420', 37: `633309${stan}` })
  return { ...kept, 90: `0200${stan}11280930050000001003100000000000` }
}

test.concurrent('it prints its addresses and a line for each message, and never a card number', async () => {
  const host = await openHost()
  const gateway = await connected(host)
  const answer = await gateway.ask(sale('000001'))
  deepEqual([answer?.['0'], answer?.['39'], answer?.['11'], answer?.['37']], ['0210', '00', '000001', '633309000001'])
  const [line] = await host.printed(/^.* <- 0200 .*$/m)
  match(line, /^\S+Z <- 0200 charge card=476173\*{6}0119 .* stan=000001 terminal=29110001/)
  await host.printed(/^.* -> 0210 .*approval=000000 code=00$/m)
  const { body } = await host.control('GET', '/ledger')
  doesNotMatch(host.said() + JSON.stringify(body), new RegExp(CARD))
  deepEqual(body['totals'], {
    ...{ sales: { number: 1, minor: 2599 }, salesUndone: { number: 0, minor: 0 } },
    ...{ refunds: { number: 0, minor: 0 }, refundsUndone: { number: 0, minor: 0 } },
  })
  host.child.kill('SIGTERM')
  equal((await host.ended).code, 0)
})

test.concurrent('it ends with the process that started it', async () => {
  const host = await openHost(['--until-stdin-ends'])
  host.child.stdin.end()
  equal((await host.ended).code, 0)
})

test.concurrent('its ledger survives a kill: a repeat gets the first answer, and a reversal finds its original', async () => {
  const journal = join(emptyDirectory(), 'journal')
  const first = await openHost(['--journal', journal])
  const answer = await (await connected(first)).ask(sale('000001'))
  first.child.kill('SIGKILL')
  await first.ended
  writeFileSync(journal, '[{"key":"2|half', { flag: 'a' })
  const again = await openHost(['--journal', journal])
  const gateway = await connected(again)
  deepEqual(await gateway.ask(sale('000001', { 0: '0201' })), answer)
  equal((await gateway.ask(reversalOf('000001', '000002')))?.['39'], '00')
  again.child.kill('SIGKILL')
  await again.ended
  const third = await openHost(['--journal', journal])
  const { body } = await third.control('GET', '/ledger')
  const states = (body['entries'] as readonly Json[]).map(({ kind, state }) => `${kind} ${state}`)
  deepEqual(states, ['charge reversed', 'reversal done'])
})

test.concurrent('it speaks TLS', async () => {
  const folder = emptyDirectory()
  writeFileSync(join(folder, 'cert.pem'), TEST_CERT)
  writeFileSync(join(folder, 'key.pem'), TEST_KEY)
  const host = await openHost(['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')])
  const socket = connectTls({ port: host.port, host: '127.0.0.1', ca: TEST_CERT })
  await once(socket, 'secureConnect')
  const gateway = new Gateway(socket)
  equal((await gateway.ask(sale('000001')))?.['39'], '91', 'not signed on')
  await gateway.ask(SIGN_ON)
  equal((await gateway.ask(sale('000001')))?.['39'], '00')
})

describe('in BCD behind a TPDU', () => {
  const ECHO = '001f6000030000' + '0800202001000080000099000000000100033239313130303031'
  const ANSWER = '00216000000003' + '0810202001000280000099000000000100033030' + '3239313130303031'

  test.concurrent('an echo is answered, byte by byte, and the addresses are swapped', async () => {
    const host = await openHost(['--dialect', 'pos-87-bcd'])
    const gateway = await connected(host, { signsOn: false })
    gateway.socket.write(Buffer.from(ECHO, 'hex'))
    equal((await gateway.next())?.toString('hex'), ANSWER.slice(4))
  })

  test.concurrent('codes are checked and made with a test key', async () => {
    const file = join(emptyDirectory(), 'key')
    writeFileSync(file, '0123456789ABCDEFFEDCBA9876543210\n')
    const host = await openHost(['--dialect', 'pos-87-bcd', '--mac-key', file])
    const gateway = await connected(host, { signsOn: false })
    gateway.socket.write(Buffer.from(ECHO, 'hex'))
    const refused = (await gateway.next())?.toString('hex') ?? ''
    match(refused, /^60000000030810202001000280000199000000000100033633/, 'code 63, and field 64 at the end')
    equal(refused.length, ANSWER.length - 4 + 16)
  })
})

describe('faults', () => {
  /** Starts a host that plays a scenario with the next message. */
  async function playing(
    scenario: string,
    of?: string,
  ): Promise<{ readonly host: SimulatedHost; readonly gateway: Gateway }> {
    const host = await openHost()
    const { status, body } = await host.control('PUT', '/scenarios', { next: [{ scenario, ...(of && { of }) }] })
    equal(status, 200, JSON.stringify(body))
    return { host, gateway: await connected(host) }
  }
  const sales = async (host: SimulatedHost) =>
    ((await host.control('GET', '/ledger')).body['entries'] as readonly Json[]).length

  test.concurrent('connection_dropped closes before anything is done', async () => {
    const { host, gateway } = await playing('connection_dropped')
    equal(await gateway.ask(sale('000001')), null)
    equal(await sales(host), 0)
  })

  test.concurrent('answer_lost closes when the money is taken', async () => {
    const { host, gateway } = await playing('answer_lost')
    equal(await gateway.ask(sale('000001')), null)
    equal(await sales(host), 1)
    equal((await (await connected(host)).ask(sale('000001', { 0: '0201' })))?.['39'], '00')
    equal(await sales(host), 1)
  })

  test.concurrent('connection_closed answers first', async () => {
    const { gateway } = await playing('connection_closed')
    equal((await gateway.ask(sale('000001')))?.['39'], '00')
    equal(await gateway.next(), null)
  })

  test.concurrent('half_answer ends in the middle', async () => {
    const { gateway } = await playing('half_answer')
    equal(await gateway.ask(sale('000001')), null)
    ok(gateway.rest > 20, String(gateway.rest))
  })

  test.concurrent('answer_twice', async () => {
    const { gateway } = await playing('answer_twice')
    deepEqual(await gateway.ask(sale('000001')), await gateway.answer())
  })

  test.concurrent('answer_out_of_order waits for the next answer', async () => {
    const { gateway } = await playing('answer_out_of_order')
    gateway.send(sale('000001'))
    gateway.send(sale('000002'))
    deepEqual([(await gateway.answer())?.['11'], (await gateway.answer())?.['11']], ['000002', '000001'])
  })

  test.concurrent('wrong_stan and wrong_amount', async () => {
    const { gateway } = await playing('wrong_stan+wrong_amount:5')
    const answer = await gateway.ask(sale('000001'))
    deepEqual([answer?.['11'], answer?.['4']], ['000002', '000000002604'])
  })

  test.concurrent('garbled_answer is as long as the answer', async () => {
    const { gateway } = await playing('garbled_answer')
    gateway.send(sale('000001'))
    const garbled = await gateway.next()
    gateway.send(sale('000001', { 0: '0201' }))
    const right = await gateway.next()
    equal(garbled?.length, right?.length)
    equal(garbled?.subarray(0, 4).toString('hex'), 'cfcdcecf')
  })

  test.concurrent('in_progress_first', async () => {
    const { gateway } = await playing('in_progress_first')
    equal((await gateway.ask(sale('000001')))?.['39'], '09')
    equal((await gateway.answer())?.['39'], '00')
  })

  test.concurrent('slow_acquirer and slow_answer answer after another message', async () => {
    const { host, gateway } = await playing('slow_answer:300')
    await host.control('PUT', '/scenarios', {
      next: [{ scenario: 'slow_answer:300' }, { scenario: 'slow_acquirer:600' }],
    })
    for (const stan of ['000001', '000002', '000003']) gateway.send(sale(stan))
    const order = [await gateway.answer(), await gateway.answer(), await gateway.answer()].map(each => each?.['11'])
    deepEqual(order, ['000003', '000001', '000002'])
  })

  test.concurrent('stops_reading answers, and reads nothing more of the connection', async () => {
    const { host, gateway } = await playing('stops_reading:3600000')
    equal((await gateway.ask(sale('000001')))?.['39'], '00')
    gateway.send(sale('000002'))
    equal((await (await connected(host)).ask(sale('000003')))?.['39'], '00')
    const { body } = await host.control('GET', '/ledger')
    deepEqual(
      (body['entries'] as readonly Json[]).map(({ stan }) => stan),
      ['000001', '000003'],
    )
  })

  test.concurrent('stops_reading reads again after its time', async () => {
    const { gateway } = await playing('stops_reading:50')
    equal((await gateway.ask(sale('000001')))?.['39'], '00')
    equal((await gateway.ask(sale('000002')))?.['39'], '00')
  })

  test.concurrent('of reversals leave payments alone', async () => {
    const { gateway } = await playing('answer_lost', 'reversal')
    equal((await gateway.ask(sale('000001')))?.['39'], '00')
    equal(await gateway.ask(reversalOf('000001', '000002')), null)
  })
})

test.concurrent('scenarios are of the next messages, of a card, of an amount, or of all others', async () => {
  const host = await openHost()
  const gateway = await connected(host)
  const set = {
    next: [{ scenario: 'insufficient_funds', times: 2 }],
    afterwards: 'referred',
    cards: [{ ending: '0001', scenario: 'expired_card' }],
    amounts: [{ minor: 100, scenario: 'approved' }],
  }
  equal((await host.control('PUT', '/scenarios', set)).status, 200)
  const code = async (stan: string, change = {}) => (await gateway.ask(sale(stan, change)))?.['39']
  equal(await code('000001', { 2: '4761739001010001' }), '54')
  equal(await code('000002', { 4: '000000000100' }), '00')
  deepEqual([await code('000003'), await code('000004'), await code('000005')], ['51', '51', '01'])
  const { body } = await host.control('GET', '/scenarios')
  deepEqual(body['next'], [])
  ok((body['scenarios'] as readonly Json[]).some(({ name }) => name === 'answer_out_of_order'))
})

test.concurrent.each([
  ['a name that is none', { next: [{ scenario: 'declnied' }] }, /"declnied" is no scenario of an acquirer/],
  ['a scenario of the directory server', { next: [{ scenario: 'frictionless' }] }, /is no scenario of an acquirer/],
  ['a number for a fault without one', { next: [{ scenario: 'answer_twice:5' }] }, /number/],
  ['an unknown member', { next: [], later: 'declined' }, /not in order/],
])('the control port refuses %s, and changes nothing', async (_, document, says) => {
  const host = await openHost()
  await host.control('PUT', '/scenarios', { next: [{ scenario: 'referred' }] })
  const { status, body } = await host.control('PUT', '/scenarios', document)
  equal(status, 400)
  match(String(body['message']), says)
  deepEqual((await host.control('GET', '/scenarios')).body['next'], [{ scenario: 'referred' }])
})

test.concurrent('the control port sends an echo of the host, and cuts connections', async () => {
  const host = await openHost()
  const gateway = await connected(host)
  await gateway.ask(sale('000001'))
  deepEqual((await host.control('POST', '/echo')).body, { sent: 1 })
  const echo = await gateway.answer()
  deepEqual([echo?.['0'], echo?.['70'], echo?.['41']], ['0800', '301', '29110001'])
  await host.control('DELETE', '/connections')
  equal(await gateway.next(), null)
  equal((await host.control('GET', '/nothing')).status, 404)
})

test.concurrent('a message that cannot be read is answered with its field, or ends the connection', async () => {
  const host = await openHost(['--dialect', 'pos-87-bcd'])
  const cutOff = await connected(host, { signsOn: false })
  cutOff.socket.write(Buffer.from(`001e6000030000${'08002020010000800000990000000001000332393131303030'}`, 'hex'))
  const answer = (await cutOff.next())?.toString('hex') ?? ''
  match(answer, /^60000000030810.*3330.*3431$/, 'code 30, and field 41')
  const nothing = await connected(host, { signsOn: false })
  nothing.socket.write(Buffer.from('00076000030000ffff', 'hex'))
  equal(await nothing.next(), null)
})

describe('arguments', () => {
  test.concurrent.each([
    ['a dialect that is none', ['--dialect', 'unheard-of'], 2, /plain-87-ascii, pos-87-bcd, host-93, or a file/],
    ['a port that cannot be', ['--port', '70000'], 2, /0 to 65535/],
    ['a certificate without a key', ['--tls-cert', 'LICENSE'], 1, /needs both/],
    ['a key of the wrong length', ['--mac-key', 'LICENSE'], 2, /32 hexadecimal digits/],
    ['a file that is no dialect', ['--dialect', 'package.json'], 1, /cannot start: standard must be one of 1987, 1993/],
  ])('%s is refused', async (_, args, code, says) => {
    const ended = await run(['simulate', 'acquirer', ...args])
    equal(ended.code, code)
    match(ended.stderr, says)
  })
})

test.concurrent('the guide has every part of a scenario that the control port lists', async () => {
  const host = await openHost()
  const { body } = await host.control('GET', '/scenarios')
  const guide = readFileSync(new URL('../../docs/simulate.md', import.meta.url), 'utf8')
  const names = (body['scenarios'] as readonly Json[]).map(({ name }) => String(name))
  ok(names.length > 20)
  deepEqual(
    names.filter(name => !new RegExp(`\`${name}[:\`]`).test(guide)),
    [],
  )
})
