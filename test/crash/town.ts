// test/crash/town.ts — two shops with their tills at one gateway, and somebody who kills it again and again.
import { deepEqual } from 'node:assert/strict'
import { scriptedTerminals } from '../../src/sandbox-seed.ts'
import { type Env, emptyDirectory } from '../cli/tollgate.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { type Book, emptyBook } from './book.ts'
import { type EventListener, listenToEvents } from './event-listener.ts'
import { cardNumbersIn } from './files.ts'
import { createLine, type Line } from './line.ts'
import { aMoment, createMoments, type Moments } from './moments.ts'
import { createMortalGateway, type MortalGateway, PATIENCE_MS } from './mortal-gateway.ts'
import { createPerson } from './person.ts'
import { runTill } from './till.ts'

/** Short limits, so that everything ends soon by itself; long enough that most payments outlive a restart. */
const SETTINGS: Env = {
  TOLLGATE_PACE: '8',
  TOLLGATE_TRANSACTION_LIMIT_MS: '4000',
  TOLLGATE_KEYED_LIMIT_MS: '5000',
  TOLLGATE_SIGNATURE_MS: '1000',
  // Locations stay the same although the port does not.
  TOLLGATE_PUBLIC_URL: 'http://pay.example',
}

/** The files are looked through after every so many kills, as they were left. */
const LOOK_EVERY = 10

export interface Shop {
  readonly account: string
  readonly currency: string
  readonly scripted: readonly string[]
  /** Terminals whose keys somebody presses. */
  readonly byHand: readonly string[]
  readonly line: Line
  readonly listener: EventListener
}

export interface Town {
  readonly directory: string
  readonly gateway: MortalGateway
  readonly moments: Moments
  readonly shops: readonly Shop[]
  readonly book: Book
}

/** A town whose gateway does not run yet. */
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
      ...lineOf('demo-api-key'),
    },
    {
      account: 'demo-eur',
      currency: 'EUR',
      scripted: scriptedTerminals('EURO').slice(0, 4),
      byHand: ['22160003'],
      ...lineOf('demo-eur-api-key'),
    },
  ]
  return { directory, gateway, moments, shops, book: emptyBook() }
}

/** Runs all tills from the first start to the last of `kills` deaths, and lets them finish. A gateway runs at the end. */
export async function liveThrough(town: Town, kills: number, seed: number): Promise<void> {
  let open = true
  const close = () => {
    open = false
  }
  const killing = killAgainAndAgain(town, kills, new SeededRandom(seed)).finally(close)
  const tills = runTills(town, seed, () => open)
  const listening = town.shops.map(shop => shop.listener.done)
  await Promise.race([Promise.all([killing, tills]), town.gateway.failure, ...listening])
}

async function runTills({ shops, book }: Town, seed: number, isOpen: () => boolean): Promise<void> {
  const places = shops.flatMap(shop => [...shop.scripted, ...shop.byHand].map(tid => ({ shop, tid })))
  await Promise.all(
    places.map(({ shop, tid }, index) => {
      const { account, currency, line, byHand } = shop
      const random = new SeededRandom(seed * 1_000 + index)
      const person = byHand.includes(tid) ? createPerson(line, tid, random, book) : null
      return runTill({ account, currency, tid, line, random, book, person, isOpen })
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
