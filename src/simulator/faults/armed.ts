// src/simulator/faults/armed.ts — faults armed for requests to an address. Kept in this process only: they are meant for the
// next requests.

import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { ArmedFault, SandboxFaults } from '../controls.ts'
import { MISPLACED, readStrictly, sentenceOf } from '../strict-reading.ts'
import { FAULT_ORDER, FAULTS, type Fault, type FaultKind, faultIn, preventsWork, targetOf } from './catalogue.ts'
import { normalised, patternOf } from './path-pattern.ts'
import { whyUnreachable } from './reach.ts'

/** Upper bound of armed faults per account. */
const MOST_ARMED = 100

interface Waiting {
  readonly order: Omit<ArmedFault, 'times'>
  readonly fault: Fault
  readonly pattern: RegExp
  times: number
}

/** Keeps the armed faults, by account. */
export function createArmedFaults(): SandboxFaults {
  const byAccount = new Map<string, readonly Waiting[]>()
  const waitingOf = (account: string) => byAccount.get(account) ?? []
  return {
    armed: account =>
      waitingOf(account)
        .filter(({ times }) => times > 0)
        .map(({ order, times }) => ({ ...order, times })),
    arm(account, document) {
      const read = readStrictly(FAULT_ORDER, document)
      if ('problems' in read)
        return { refusal: { at: read.problems[0]?.at ?? '', says: read.problems.map(sentenceOf).join(' ') } }
      const { fault: text, method = null, path, times = 1 } = read.value
      const fault = faultIn(text)
      const problem = fault === null ? unknownFault(text) : whyIneffective(fault, method, path)
      if (fault === null || problem !== null) return { refusal: problem ?? unknownFault(text) }
      if (idHoldsCardNumber(path)) return { refusal: { at: 'path', says: `path ${MISPLACED}.` } }
      const waiting = waitingOf(account).filter(each => each.times > 0)
      if (waiting.length === MOST_ARMED)
        return { refusal: { at: '', says: `At most ${MOST_ARMED} faults can be armed at once.` } }
      const order = { fault: text, method, path }
      byAccount.set(account, [...waiting, { order, fault, pattern: patternOf(normalised(path)), times }])
      return { ...order, times }
    },
    disarm: account => void byAccount.delete(account),
    isArmed: () => [...byAccount.values()].some(waiting => waiting.some(({ times }) => times > 0)),
    meet(account, { method, url, reach }) {
      const waiting = byAccount.get(account)
      if (waiting === undefined) return NONE_MET
      const path = normalised(url)
      const met: Waiting[] = []
      for (const each of waiting)
        if (
          each.times > 0 &&
          (each.order.method ?? method) === method &&
          reach.includes(targetOf(each.fault)) &&
          each.pattern.test(path) &&
          takesEffectBeside(met, each)
        )
          met.push(each)
      for (const each of met) each.times -= 1
      return {
        faults: met.map(({ fault }) => fault),
        // After `disarm` the account has another list, so that a returned fault does not come back.
        giveBack: isUnused => {
          for (const each of met) if (isUnused(each.fault)) each.times += 1
        },
      }
    },
  }
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
