// bench/figures/online.ts — online payments: issuing tokens and paying, with few and with many stored payments.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, plainRow, type Row, ratioRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { interleave, inWords, type Rounds, ratios, roundsOfPayments, type Side, spreadOf } from '../rounds.ts'
import { type ProgramProcess, type ServerProcess, startProgram, startScript } from '../server-process.ts'
import type { BareOrder } from '../servers/bare-node.ts'
import { fillPayments } from '../stored-payments.ts'
import { madeToken, madeTokens, paid, paymentRequest, tokenRequest } from '../web-shop.ts'

/** Simultaneous connections of shops' servers, as many as of tills in the sales. */
const CONNECTIONS = 256
const FEW = 1_000
/** Tokens for payments; each payment uses one. */
const TOKENS = { full: 40_000, quick: 3_000 }
/** One shop makes all the calls, so its rate limit is switched off. */
const SETTINGS = { TOLLGATE_PACE: '0', TOLLGATE_LOG_LEVEL: 'warn', TOLLGATE_SHOP_CALLS_PER_SECOND: '0' }
const BAR = { atMost: 1.15 }

export const online: Figure = {
  name: 'online',
  conditions:
    `online: ${CONNECTIONS} connections, the sandbox as it is shipped but for log level warn and no limit on the calls of a shop, SQLite with a sync to disk ` +
    'before each answer. A token: JWT checked, order read, token durable. A payment: card read, sealed and kept, ' +
    'authorised by the simulated acquirer, outcome durable when it is answered; without 3-D Secure and webhook. Stored ' +
    'payments are a record with all its events and claims, each under ids of its own.',
  async run(bench) {
    const few = join(bench.directory, 'few-payments')
    const many = join(bench.directory, 'many-payments')
    mkdirSync(few)
    await leaveOnePayment(few)
    cpSync(few, many, { recursive: true })
    fillPayments(few, FEW, () => {})
    const bytes = fillPayments(many, bench.stored, bench.say)
    const note = `${bench.stored.toLocaleString('en')} stored, ${(bytes / 1e9).toFixed(1)} GB`
    const first = await programIn(few)
    const beside = await besideBare(bench, first)
    await first.stop()
    // Two fresh gateways: one that has issued a hundred thousand tokens is faster, because its code is optimised.
    const gateways = { many: await programIn(many), few: await programIn(few) }
    const rows = [beside, await besideMany(bench, gateways, note), ...(await payments(bench, gateways, note))]
    await Promise.all(Object.values(gateways).map(server => server.stop()))
    return rows
  },
}

interface Gateways {
  readonly many: ProgramProcess
  readonly few: ProgramProcess
}

function programIn(dataDirectory: string): Promise<ProgramProcess> {
  return startProgram({ dataDirectory, environment: SETTINGS })
}

/** Creates the payment that is copied. */
async function leaveOnePayment(directory: string): Promise<void> {
  const gateway = await programIn(directory)
  const { token } = await madeToken(gateway.port, jwtOf(gateway))
  await paid(gateway.port, token)
  await gateway.stop()
}

function jwtOf({ token }: ProgramProcess): string {
  if (token === null) throw new Error('the sandbox has printed no JWT')
  return token
}

async function besideBare({ quick }: Bench, gateway: ProgramProcess): Promise<Row> {
  const { answer } = await madeToken(gateway.port, jwtOf(gateway))
  const bare = await startScript('bare-node', { read: answer, write: answer, notModified: answer } satisfies BareOrder)
  try {
    const [ours, theirs] = await measure(
      await makingTokens({ gateway, bare }, () => jwtOf(gateway)),
      roundsOfPayments(quick),
    )
    return ratioRow(
      'POST access token, durable on disk ÷ bare `node:http` parsing the same body',
      ratios(ours, theirs),
      { atLeast: 0.25 },
      [ours, theirs].flatMap(side => (side === undefined ? [] : [inWords(side)])).join(', '),
    )
  } finally {
    await bare.stop()
  }
}

async function besideMany({ quick }: Bench, { few, many }: Gateways, note: string): Promise<Row> {
  const jwts = new Map([few, many].map(server => [server.port, jwtOf(server)]))
  const sides = await makingTokens({ few, many }, port => jwts.get(port) ?? '')
  const [ours, full] = await measure(sides, roundsOfPayments(quick))
  return ratioRow('POST access token: with many payments stored, how many times slower', ratios(ours, full), BAR, note)
}

function makingTokens(servers: Readonly<Record<string, ServerProcess>>, jwtFor: (port: number) => string) {
  return sidesOf(servers, port => {
    const jwt = jwtFor(port)
    return () => tokenRequest(port, jwt)
  })
}

async function payments({ quick, say }: Bench, gateways: Gateways, note: string): Promise<readonly Row[]> {
  const count = quick ? TOKENS.quick : TOKENS.full
  const left = new Map<number, string[]>()
  for (const gateway of Object.values(gateways)) {
    left.set(gateway.port, [...(await madeTokens(gateway.port, jwtOf(gateway), count))])
    say(`${count.toLocaleString('en')} tokens made`)
  }
  const sides = await sidesOf({ few: gateways.few, many: gateways.many }, port => () => {
    const token = left.get(port)?.pop()
    return token === undefined ? null : paymentRequest(port, token)
  })
  const [few, many] = await measure(sides, roundsOfPayments(quick))
  if (few === undefined || many === undefined) throw new Error('a side is missing')
  return [
    plainRow(
      'POST payment through the simulated acquirer, outcome durable',
      `${Math.round(spreadOf(few.perSecond).median).toLocaleString('en')}/s`,
      inWords(few),
    ),
    ratioRow('POST payment: with many payments stored, how many times slower', ratios(few, many), BAR, note),
  ]
}

async function measure(sides: readonly Side[], rounds: Rounds) {
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  return measured
}

function sidesOf(
  servers: Readonly<Record<string, ServerProcess>>,
  nextFor: (port: number) => () => string | null,
): Promise<readonly Side[]> {
  return Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      const load = await openLoad(server.port, CONNECTIONS, false)
      return { name, server, load, order: { next: nextFor(server.port), status: 200 } }
    }),
  )
}
