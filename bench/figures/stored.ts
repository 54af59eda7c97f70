// bench/figures/stored.ts — sales and polls with few and with many stored transactions: stored data must not slow them down.
import { join } from 'node:path'
import { type Bench, type Figure, type Row, ratioRow } from '../figure.ts'
import { type FilledPair, startFilledPair } from '../filled-pair.ts'
import { openLoad } from '../load.ts'
import { lookAtTerminals } from '../look.ts'
import { pollOf, saleOn, startedSale } from '../requests.ts'
import { interleave, inWords, ratios, type Side } from '../rounds.ts'
import { fill } from '../stored.ts'
import { terminalId } from '../terminals.ts'

const FEW = 1_000
const CONNECTIONS = 64
const TERMINALS = { full: 80_000, quick: 10_000 }
/** Terminal of the polled sale; no other sale uses it. */
const POLLED = terminalId(0)
const BAR = { atMost: 1.15 }

export const stored: Figure = {
  name: 'stored',
  conditions:
    `stored: ${CONNECTIONS} connections; each stored transaction is a record and an event as a sale writes them, under ` +
    'an id of its own. Silent terminals that their tills have looked at before, log level warn.',
  async run(bench) {
    const terminals = bench.quick ? TERMINALS.quick : TERMINALS.full
    let bytes = 0
    let seconds = 0
    const pair = { terminals, sale: terminalId(1) }
    const servers = await startFilledPair(join(bench.directory, 'stored'), pair, ({ few, many }) => {
      const startedAt = performance.now()
      fill(few, FEW, terminals, () => {})
      bytes = fill(many, bench.stored, terminals, bench.say)
      seconds = Math.round((performance.now() - startedAt) / 1_000)
      bench.say(`filled in ${seconds} s`)
    })
    for (const { port } of Object.values(servers)) await lookAtTerminals(port, terminals)
    const size = `${(bytes / 1e9).toFixed(1)} GB, filled in ${seconds} s`
    const rows = [await sales(bench, servers, size), await polls(bench, servers)]
    await Promise.all(Object.values(servers).map(server => server.stop()))
    return rows
  },
}

async function sales({ quick, stored: count }: Bench, servers: FilledPair, size: string): Promise<Row> {
  const sides = await sidesOf(servers, port => {
    let terminal = 1
    const next = (): string => {
      terminal += 1
      return saleOn(port, terminalId(terminal))
    }
    return { next, status: 201 }
  })
  const rounds = quick
    ? { count: 5, limitMs: 250, warmUp: 1, pauseMs: 100 }
    : { count: 17, limitMs: 250, warmUp: 3, pauseMs: 100 }
  return rowOf(
    `POST sale: with ${count.toLocaleString('en')} stored transactions, how many times slower`,
    sides,
    rounds,
    size,
  )
}

async function polls({ quick, stored: count }: Bench, servers: FilledPair): Promise<Row> {
  const paths = new Map<number, string>()
  for (const { port } of Object.values(servers)) {
    const { path } = await startedSale(port, POLLED)
    paths.set(port, path)
  }
  const sides = await sidesOf(servers, port => {
    const request = pollOf(port, paths.get(port) ?? '')
    return { next: () => request, status: 200 }
  })
  const rounds = quick
    ? { count: 5, limitMs: 200, warmUp: 1, pauseMs: 20 }
    : { count: 15, limitMs: 300, warmUp: 2, pauseMs: 20 }
  return rowOf(`GET of a running transaction: the same`, sides, rounds, `${count.toLocaleString('en')} stored`)
}

async function sidesOf(servers: FilledPair, orderFor: (port: number) => Side['order']): Promise<readonly Side[]> {
  return Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      const load = await openLoad(server.port, CONNECTIONS, false)
      return { name, server, load, order: orderFor(server.port) }
    }),
  )
}

async function rowOf(
  what: string,
  sides: readonly Side[],
  rounds: Parameters<typeof interleave>[1],
  note: string,
): Promise<Row> {
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  const [many, few] = measured
  return ratioRow(what, ratios(few, many), BAR, `${measured.map(inWords).join(', ')}; ${note}`)
}
