// bench/figures/connectors.ts — payments over an acquirer's host, beside the simulated acquirer inside the gateway.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, plainRow, type Row } from '../figure.ts'
import { openLoad } from '../load.ts'
import { interleave, inWords, ratios, roundsOfPayments, type Side, spreadOf } from '../rounds.ts'
import { type ProgramProcess, runProgram, startPeer, startProgram } from '../server-process.ts'
import { madeTokens, paid, paymentRequest } from '../web-shop.ts'

/** Payers at a time; all their messages share one connection to the host. */
const PAYERS = 256
const PAYMENTS = { full: 20_000, quick: 2_000 }
const BY_TELEPHONE = { transactionSource: 'MOTO' }
const HOST_SETTINGS = { 18: '5411', 32: '123456', 41: '29110001', 42: 'HARBOUR', 43: 'Harbour Cafe' }

export const connectors: Figure = {
  name: 'connectors',
  conditions:
    `connectors: ${PAYERS} payers by telephone, the sandbox with log level warn and without limits, SQLite with a sync to disk before each answer. The ` +
    'host is `tollgate simulate acquirer` in a process of its own, in the dialect plain-87-ascii without TLS and without ' +
    'codes; a note is durable before each message, and its outcome before the payment is answered.',
  async run(bench) {
    const host = await startPeer<{ readonly port: number }>(['acquirer', '--dialect', 'plain-87-ascii'])
    const gateways = {
      host: await gatewayFor(bench, 'iso8583', acquirerFile(bench, host.printed.port)),
      simulated: await gatewayFor(bench, 'simulated', null),
    }
    try {
      return await payments(bench, gateways)
    } finally {
      await Promise.all([host, gateways.host.program, gateways.simulated.program].map(each => each.stop()))
    }
  },
}

interface Gateway {
  readonly program: ProgramProcess
  readonly jwt: string
}

function acquirerFile({ directory }: Bench, port: number): string {
  const file = join(directory, 'acquirer.json')
  const connection = { dialect: 'plain-87-ascii', addresses: [{ host: '127.0.0.1', port }], tls: 'none' }
  writeFileSync(file, JSON.stringify({ ...connection, timeZone: 'Europe/London', settings: HOST_SETTINGS }))
  return file
}

async function gatewayFor({ directory }: Bench, acquirer: string, file: string | null): Promise<Gateway> {
  const dataDirectory = join(directory, `acquirer-${acquirer}`)
  mkdirSync(dataDirectory)
  const environment = {
    ...{ TOLLGATE_PACE: '0', TOLLGATE_LOG_LEVEL: 'warn', TOLLGATE_SHOP_CALLS_PER_SECOND: '0' },
    ...(file === null ? {} : { TOLLGATE_ACQUIRER_FILE: file }),
  }
  const account = ['accounts', 'create', 'harbour', '--name', 'Harbour', '--acquirer', acquirer]
  const data = ['--data', dataDirectory]
  runProgram([...account, '--merchant-host', 'shop.example', ...data], environment)
  const program = await startProgram({ dataDirectory, environment })
  const audience = ['--audience', `http://127.0.0.1:${program.port}`]
  const { token } = runProgram<{ readonly token: string }>(['token', 'harbour', ...audience, ...data], environment)
  return { program, jwt: token }
}

async function payments({ quick, say }: Bench, gateways: Readonly<Record<string, Gateway>>): Promise<readonly Row[]> {
  const count = quick ? PAYMENTS.quick : PAYMENTS.full
  const sides: Side[] = []
  for (const [name, { program, jwt }] of Object.entries(gateways)) {
    const left = [...(await madeTokens(program.port, jwt, count, BY_TELEPHONE))]
    say(`${count.toLocaleString('en')} tokens made`)
    await paid(program.port, left.pop() ?? '')
    const next = () => {
      const token = left.pop()
      return token === undefined ? null : paymentRequest(program.port, token)
    }
    sides.push({
      name,
      server: program,
      load: await openLoad(program.port, PAYERS, false),
      order: { next, status: 200 },
    })
  }
  const [host, simulated] = await interleave(sides, roundsOfPayments(quick))
  for (const { load } of sides) load.close()
  if (host === undefined || simulated === undefined) throw new Error('a side is missing')
  return [
    plainRow(
      'POST payment over a host that speaks ISO 8583, on one connection, outcome durable',
      `${Math.round(spreadOf(host.perSecond).median).toLocaleString('en')}/s`,
      inWords(host),
    ),
    plainRow(
      'the same ÷ through the simulated acquirer',
      ratios(host, simulated).median.toFixed(2),
      `${inWords(host)}, ${inWords(simulated)}`,
    ),
  ]
}
