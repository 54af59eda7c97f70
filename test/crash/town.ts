// test/crash/town.ts — two shops with tills, waiters and tables at one gateway, which is killed again and again.
import { deepEqual } from 'node:assert/strict'
import { scriptedTerminals } from '../../src/simulator/seed.ts'
import { type Env, emptyDirectory } from '../cli/tollgate.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type Book, emptyBook } from './book.ts'
import { type EventListener, listenToEvents } from './event-listener.ts'
import { cardNumbersIn } from './files.ts'
import { createLine, type Line } from './line.ts'
import { aMoment, createMoments, type Moments } from './moments.ts'
import { createMortalGateway, type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'
import { createPerson } from './person.ts'
import { openTableTill, runWaiter, type TableTill } from './pos-table-till.ts'
import type { ReportEntry } from './reports.ts'
import { runSocketTill, type SocketSale } from './socket-till.ts'
import { runTill } from './till.ts'
import { runUploadingTill, type UploadedTable } from './uploaded-tables.ts'
import { addTerminal } from './waiter.ts'

/** Short limits, so that everything ends soon; long enough that most payments outlive a restart. */
const SETTINGS: Env = {
  TOLLGATE_PACE: '8',
  TOLLGATE_TRANSACTION_LIMIT_MS: '4000',
  TOLLGATE_KEYED_LIMIT_MS: '5000',
  TOLLGATE_SIGNATURE_MS: '1000',
  TOLLGATE_TABLE_LEASE_MS: '3000',
  // Locations stay the same although the port changes.
  TOLLGATE_PUBLIC_URL: 'http://pay.example',
}

/** Number of kills between two checks of the files. */
const LOOK_EVERY = 10

export interface Shop {
  readonly account: string
  readonly currency: string
  readonly scripted: readonly string[]
  /** Terminals operated by a person. */
  readonly byHand: readonly string[]
  /** Terminals with a till on a WebSocket. */
  readonly onSockets: readonly string[]
  /** Terminals at tables: uploaded ones, and those of a POS table provider. */
  readonly atUploaded: readonly string[]
  readonly atAsked: readonly string[]
  readonly line: Line
  readonly listener: EventListener
}

export interface Town {
  readonly directory: string
  readonly gateway: MortalGateway
  readonly moments: Moments
  readonly shops: readonly Shop[]
  readonly book: Book
  readonly sales: SocketSale[]
  readonly reports: ReportEntry[]
  readonly uploaded: UploadedTable[]
  /** A POS table provider. */
  readonly tableTill: TableTill
}

/** Creates the shops around a gateway that does not run yet. */
export function buildTown(): Town {
  const directory = emptyDirectory()
  const gateway = createMortalGateway(directory, SETTINGS)
  const moments = createMoments(directory)
  const lineOf = (key: string) => ({ line: createLine(gateway, moments, key), listener: listenToEvents(gateway, key) })
  const shops = [
    {
      account: 'demo',
      currency: 'GBP',
      scripted: scriptedTerminals('DEMO'),
      byHand: ['22160001', '22160002'],
      onSockets: ['VCMSOCASIP0', 'VCMSOCBSIS0'],
      atUploaded: [],
      atAsked: ['VCMTABASIP0', 'VCMTABBSIP0'],
      ...lineOf('demo-api-key'),
    },
    {
      account: 'demo-eur',
      currency: 'EUR',
      scripted: scriptedTerminals('EURO').slice(0, 4),
      byHand: ['22160003'],
      onSockets: [],
      atUploaded: ['VCMTABCSIP0', 'VCMTABDSIP0'],
      atAsked: [],
      ...lineOf('demo-eur-api-key'),
    },
  ]
  const tableTill = openTableTill({ gateway, moments, key: 'demo-api-key' }, 'GBP')
  const books = { book: emptyBook(), sales: [], reports: [], uploaded: [] }
  return { directory, gateway, moments, shops, tableTill, ...books }
}

/** Runs all tills until the gateway was killed `kills` times, and lets them finish. A gateway runs at the end. */
export async function liveThrough(town: Town, kills: number, seed: number): Promise<void> {
  let open = true
  const close = () => {
    open = false
  }
  const killing = killAgainAndAgain(town, kills, new SeededRandom(seed)).finally(close)
  const isOpen = () => open
  const day = [killing, runTills(town, seed, isOpen), runSocketTills(town, seed, isOpen), runTables(town, seed, isOpen)]
  const listening = [...town.shops.map(shop => shop.listener.done), town.tableTill.done]
  await Promise.race([Promise.all(day), town.gateway.failure, ...listening])
}

async function runSocketTills({ shops, gateway, moments, sales }: Town, seed: number, isOpen: () => boolean) {
  const places = shops.flatMap(shop => shop.onSockets.map(tid => ({ shop, tid })))
  await Promise.all(
    places.map(async ({ shop: { account, currency, line }, tid }, index) => {
      await addTerminal(line, tid)
      const random = new SeededRandom(seed * 1_000 + 200 + index)
      await runSocketTill({
        gateway,
        moments,
        key: `${account}-api-key`,
        account,
        currency,
        tid,
        line,
        random,
        sales,
        isOpen,
      })
    }),
  )
}

async function runTables({ shops, uploaded, tableTill }: Town, seed: number, isOpen: () => boolean): Promise<void> {
  await Promise.all(
    shops.flatMap(({ account, currency, line, atUploaded, atAsked }) => [
      ...atUploaded.map((tid, index) => {
        const random = new SeededRandom(seed * 1_000 + 400 + index)
        return runUploadingTill({ account, currency, tid, line, random, tables: uploaded, isOpen })
      }),
      ...atAsked.map((tid, index) => {
        const random = new SeededRandom(seed * 1_000 + 600 + index)
        return runWaiter({ tid, line, till: tableTill, random, isOpen })
      }),
    ]),
  )
}

async function runTills({ shops, book, reports }: Town, seed: number, isOpen: () => boolean): Promise<void> {
  const places = shops.flatMap(shop => [...shop.scripted, ...shop.byHand].map(tid => ({ shop, tid })))
  await Promise.all(
    places.map(({ shop, tid }, index) => {
      const { account, currency, line, byHand } = shop
      const random = new SeededRandom(seed * 1_000 + index)
      const person = byHand.includes(tid) ? createPerson(line, tid, random, book) : null
      return runTill({ account, currency, tid, line, random, book, person, isOpen, reports })
    }),
  )
}

async function killAgainAndAgain({ gateway, moments, directory }: Town, kills: number, random: SeededRandom) {
  for (let kill = 1; kill <= kills; kill += 1) {
    const moment = aMoment(random)
    const sinceStart = moments.come(moment)
    gateway.start()
    if (!moment.sinceStart) await gateway.up()
    const come = moment.sinceStart ? sinceStart : moments.come(moment)
    await gateway.patiently(`the moment ${JSON.stringify(moment)}`, PATIENCE_MS.moment, come)
    await gateway.kill()
    if (kill % LOOK_EVERY === 0) deepEqual(cardNumbersIn(directory), [])
  }
  gateway.start()
  await gateway.up()
}
