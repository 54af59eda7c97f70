// bench/figures/lists.ts — a filtered page of a list with many stored transactions, and with no others than those of the page.
import { join } from 'node:path'
import { type Bench, type Figure, type Row, ratioRow } from '../figure.ts'
import { startFilledPair } from '../filled-pair.ts'
import { openLoad } from '../load.ts'
import { polled, pollOf } from '../requests.ts'
import { interleave, inWords, ratios } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'
import { fillList, fillPage, LAST_FOUR, PAGE, PERIOD } from '../stored-list.ts'
import { terminalId } from '../terminals.ts'

const CONNECTIONS = 16
/** Among many, the records of a page lie apart, so each is on a page of the database of its own. */
const BAR = { atMost: 1.5 }

const PAGES = {
  'declined, by the last four digits': `result=DECLINED&lastFour=${LAST_FOUR}`,
  'declined in twenty days, with half a year of newer ones': [
    'result=DECLINED',
    `from=${new Date(PERIOD.from).toISOString()}`,
    `to=${new Date(PERIOD.to).toISOString()}`,
  ].join('&'),
}

interface Servers {
  readonly many: ServerProcess
  readonly empty: ServerProcess
}

export const lists: Figure = {
  name: 'lists',
  conditions:
    `lists: ${CONNECTIONS} connections reading a page of ${PAGE} transactions under /api/transactions. One in twenty stored ` +
    'transactions is declined, one in four hundred has the card. The empty store holds those of the page only.',
  async run(bench) {
    let bytes = 0
    const pair = { terminals: 1, sale: terminalId(0) }
    const { many, few } = await startFilledPair(join(bench.directory, 'lists'), pair, directories => {
      fillPage(directories.few)
      bytes = fillList(directories.many, bench.stored, bench.say)
    })
    const servers = { many, empty: few }
    const size = `${bench.stored.toLocaleString('en')} stored, ${(bytes / 1e9).toFixed(1)} GB`
    const rows: Row[] = []
    for (const [name, query] of Object.entries(PAGES)) rows.push(await pageRow(bench, servers, name, query, size))
    await Promise.all(Object.values(servers).map(server => server.stop()))
    return rows
  },
}

async function pageRow({ quick }: Bench, servers: Servers, name: string, query: string, note: string): Promise<Row> {
  const path = `/api/transactions?limit=${PAGE}&${query}`
  const sides = await Promise.all(
    Object.entries(servers).map(async ([side, server]) => {
      await demandWholePage(server, path)
      const request = pollOf(server.port, path)
      const load = await openLoad(server.port, CONNECTIONS, false)
      return { name: side, server, load, order: { next: () => request, status: 200 } }
    }),
  )
  const rounds = quick
    ? { count: 5, limitMs: 250, warmUp: 1, pauseMs: 20 }
    : { count: 15, limitMs: 500, warmUp: 3, pauseMs: 20 }
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  const [many, empty] = measured
  const detail = `${measured.map(inWords).join(', ')}; ${note}`
  return ratioRow(
    `A page of ${PAGE} ${name}: how many times slower than from an empty store`,
    ratios(empty, many),
    BAR,
    detail,
  )
}

/** @throws Error when a page is not whole: it would be faster */
async function demandWholePage({ port }: ServerProcess, path: string): Promise<void> {
  const { status, body } = await polled(port, path)
  const { transactions = [] } = JSON.parse(body) as { readonly transactions?: readonly unknown[] }
  if (status !== 200 || transactions.length !== PAGE) throw new Error(`${status}: ${transactions.length} on the page`)
}
