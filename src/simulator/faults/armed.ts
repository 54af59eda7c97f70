// src/simulator/faults/armed.ts — faults armed for requests to an address. They are in the simulator's memory, so that each is
// taken on one node only.

import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { ArmedFault, FaultyRequest, SandboxFaults } from '../controls.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { MISPLACED, readStrictly, sentenceOf } from '../strict-reading.ts'
import { FAULT_ORDER, FAULTS, type Fault, type FaultKind, faultIn, preventsWork, targetOf } from './catalogue.ts'
import { normalised, patternOf } from './path-pattern.ts'
import { whyUnreachable } from './reach.ts'

/** Upper bound of armed faults per account. */
const MOST_ARMED = 100
/** Upper bound of accounts whose faults are looked for at the start. A sandbox has tens. */
const MOST_ACCOUNTS = 10_000

/** An armed fault as it is stored. With `times` 0 it may still be given back. */
interface Stored extends ArmedFault {
  readonly id: string
}

interface Waiting {
  readonly stored: Stored
  readonly fault: Fault
  readonly pattern: RegExp
}

/** Keeps the armed faults, by account. */
export function createArmedFaults(memory: SimulatedMemory, random: Random): SandboxFaults {
  /** Accounts with an armed fault, so that the requests of others cost no look; when one process has all of them. */
  const accounts = new Set(memory.list('fault', { limit: MOST_ACCOUNTS }).map(({ parent }) => parent))
  /** Read from the body that is stored now. */
  const parsed = new Map<string, { readonly body: string; readonly waiting: readonly Waiting[] }>()

  function waitingOf(account: string): readonly Waiting[] {
    const body = memory.read('fault', account)
    const known = parsed.get(account)
    if (body === null) {
      parsed.delete(account)
      return []
    }
    if (known?.body === body) return known.waiting
    const waiting = (JSON.parse(body) as readonly Stored[]).flatMap(inMemory)
    parsed.set(account, { body, waiting })
    return waiting
  }

  function store(account: string, all: readonly Stored[]): void {
    memory.write([{ collection: 'fault', key: account, parent: account, body: JSON.stringify(all) }])
    if (all.some(({ times }) => times > 0)) accounts.add(account)
    else accounts.delete(account)
  }

  /** Changes how often these faults hit. One that was disarmed meanwhile does not come back. */
  function count(account: string, ids: ReadonlySet<string>, by: 1 | -1): void {
    const all = waitingOf(account).map(({ stored }) => stored)
    store(
      account,
      all.map(each => (ids.has(each.id) ? { ...each, times: each.times + by } : each)),
    )
  }

  return {
    armed: account =>
      waitingOf(account)
        .filter(({ stored }) => stored.times > 0)
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
      const waiting = waitingOf(account).filter(({ stored }) => stored.times > 0)
      if (waiting.length === MOST_ARMED)
        return { refusal: { at: '', says: `At most ${MOST_ARMED} faults can be armed at once.` } }
      const order = { fault: text, method, path, times }
      store(account, [...waiting.map(({ stored }) => stored), { ...order, id: random.uuid() }])
      return order
    },
    disarm(account) {
      memory.erase('fault', account)
      accounts.delete(account)
    },
    // Other nodes arm faults too.
    isArmed: () => memory.nodes !== undefined || accounts.size > 0,
    wouldMeet: (account, request) => meeting(waitingOf(account), request).length > 0,
    meet(account, request) {
      const met = meeting(waitingOf(account), request)
      if (met.length === 0) return NONE_MET
      count(account, idsOf(met), -1)
      return {
        faults: met.map(({ fault }) => fault),
        giveBack(isUnused) {
          const unused = met.filter(({ fault }) => isUnused(fault))
          if (unused.length > 0 && memory.read('fault', account) !== null) count(account, idsOf(unused), 1)
        },
      }
    },
  }
}

const idsOf = (waiting: readonly Waiting[]) => new Set(waiting.map(({ stored }) => stored.id))

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
