// src/simulator/faults/armed.ts — faults armed for requests to an address. They are in the simulator's memory, so that each is
// taken on one node only.

import { MISPLACED, readStrictly, sentenceOf } from '../../api/read/strict-document.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { ArmedFault, FaultyRequest, SandboxFaults } from '../controls.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { FAULT_ORDER, FAULTS, type Fault, type FaultKind, faultIn, preventsWork, targetOf } from './catalogue.ts'
import { normalised, patternOf } from './path-pattern.ts'
import { whyUnreachable } from './reach.ts'

/** Upper bound of armed faults per account. */
const MOST_ARMED = 100
/** Upper bound of accounts whose faults are looked for at the start. A sandbox has tens. */
const MOST_ACCOUNTS = 10_000

/** An armed fault as it is stored. With `times` 0 it may still be given back. */
interface Stored extends ArmedFault {
  /** Counts the faults that were ever armed. */
  readonly number: number
}

interface Book {
  /** Number of the last fault. */
  readonly last: number
  readonly faults: readonly Stored[]
}

interface Waiting {
  readonly stored: Stored
  readonly fault: Fault
  readonly pattern: RegExp
}

/** Keeps the armed faults, by account. */
export function createArmedFaults(memory: SimulatedMemory): SandboxFaults {
  /** Accounts with an armed fault, so that the requests of others cost no look; when one process has all of them. */
  const accounts = new Set(memory.list('fault', { limit: MOST_ACCOUNTS }).map(({ parent }) => parent))
  /** Read from the body that is stored now. */
  const parsed = new Map<
    string,
    { readonly body: string; readonly last: number; readonly waiting: readonly Waiting[] }
  >()

  function bookOf(account: string): { readonly last: number; readonly waiting: readonly Waiting[] } {
    const body = memory.read('fault', account)
    if (body === null) return EMPTY
    const known = parsed.get(account)
    if (known?.body === body) return known
    const { last, faults } = JSON.parse(body) as Book
    const book = { body, last, waiting: faults.flatMap(inMemory) }
    parsed.set(account, book)
    return book
  }

  function store(account: string, book: Book): void {
    memory.write([{ collection: 'fault', key: account, parent: account, body: JSON.stringify(book) }])
    if (book.faults.some(({ times }) => times > 0)) accounts.add(account)
    else accounts.delete(account)
  }

  /** Changes how often these faults hit. One that was disarmed meanwhile does not come back. */
  function count(account: string, met: readonly Waiting[], by: 1 | -1): void {
    const numbers = new Set(met.map(({ stored }) => stored.number))
    const { last, waiting } = bookOf(account)
    const faults = waiting.map(({ stored }) =>
      numbers.has(stored.number) ? { ...stored, times: stored.times + by } : stored,
    )
    store(account, { last, faults })
  }

  return {
    armed: account =>
      bookOf(account)
        .waiting.filter(({ stored }) => stored.times > 0)
        .map(({ stored: { fault, method, path, times } }) => ({ fault, method, path, times })),
    arm(account, document) {
      const read = readStrictly(FAULT_ORDER, document)
      if ('problems' in read)
        return { refusal: { at: read.problems[0]?.at ?? '', says: read.problems.map(sentenceOf).join(' ') } }
      const { fault: text, method = null, path, times = 1 } = read.value
      const fault = faultIn(text)
      const problem = fault === null ? unknownFault(text) : whyIneffective(fault, method, path)
      if (fault === null || problem !== null) return { refusal: problem ?? unknownFault(text) }
      if (idHoldsCardNumber(path)) return { refusal: { at: 'path', says: `path ${MISPLACED}.` } }
      const { last, waiting: all } = bookOf(account)
      const waiting = all.filter(({ stored }) => stored.times > 0)
      if (waiting.length === MOST_ARMED)
        return { refusal: { at: '', says: `At most ${MOST_ARMED} faults can be armed at once.` } }
      const order = { fault: text, method, path, times }
      const faults = [...waiting.map(({ stored }) => stored), { ...order, number: last + 1 }]
      store(account, { last: last + 1, faults })
      return order
    },
    disarm(account) {
      const { last } = bookOf(account)
      if (last > 0) store(account, { last, faults: [] })
    },
    // Other nodes arm faults too.
    isArmed: () => memory.nodes !== undefined || accounts.size > 0,
    wouldMeet: (account, request) => meeting(bookOf(account).waiting, request).length > 0,
    meet(account, request) {
      const met = meeting(bookOf(account).waiting, request)
      if (met.length === 0) return NONE_MET
      count(account, met, -1)
      return {
        faults: met.map(({ fault }) => fault),
        giveBack(isUnused) {
          const unused = met.filter(({ fault }) => isUnused(fault))
          if (unused.length > 0) count(account, unused, 1)
        },
      }
    },
  }
}

const EMPTY = { last: 0, waiting: [] }

/** None for a fault that another version has armed and this one does not know. */
function inMemory(stored: Stored): readonly Waiting[] {
  const fault = faultIn(stored.fault)
  return fault === null ? [] : [{ stored, fault, pattern: patternOf(normalised(stored.path)) }]
}

/** The faults that hit a request. */
function meeting(waiting: readonly Waiting[], { method, url, reach }: FaultyRequest): readonly Waiting[] {
  if (waiting.length === 0) return waiting
  const path = normalised(url)
  const met: Waiting[] = []
  for (const each of waiting)
    if (
      each.stored.times > 0 &&
      (each.stored.method ?? method) === method &&
      reach.includes(targetOf(each.fault)) &&
      each.pattern.test(path) &&
      takesEffectBeside(met, each)
    )
      met.push(each)
  return met
}

const NONE_MET = { faults: [], giveBack() {} }

/** A request meets each fault once, and nothing else together with a fault that prevents its work. */
function takesEffectBeside(met: readonly Waiting[], { fault }: Waiting): boolean {
  if (met.some(other => other.fault.name === fault.name)) return false
  return met.length === 0 || !(preventsWork(fault) || met.some(other => preventsWork(other.fault)))
}

function unknownFault(text: string) {
  return { at: 'fault', says: `There is no fault ${JSON.stringify(text)}. See GET /sandbox/faults.` }
}

function whyIneffective(fault: Fault, method: string | null, path: string) {
  const { number }: FaultKind = FAULTS[fault.name]
  if (number !== null && fault.number === 0) return { at: 'fault', says: `${fault.name}:0 has no effect.` }
  if (/[?#]/.test(path)) return { at: 'path', says: 'It must be a path without a query.' }
  return whyUnreachable(targetOf(fault), method, normalised(path))
}
