// src/simulator/faults/armed.ts — faults armed for requests to an address. Kept in this process only: they are meant for the
// next requests.

import type { ArmedFault, SandboxFaults } from '../controls.ts'
import { readStrictly, sentenceOf } from '../strict-reading.ts'
import { FAULT_ORDER, type Fault, faultIn } from './catalogue.ts'

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
  const byAccount = new Map<string, Waiting[]>()
  const armedOf = (account: string) => byAccount.get(account) ?? []
  return {
    armed: account => armedOf(account).map(({ order, times }) => ({ ...order, times })),
    arm(account, document) {
      const read = readStrictly(FAULT_ORDER, document)
      if ('problems' in read)
        return { objection: { at: read.problems[0]?.at ?? '', says: read.problems.map(sentenceOf).join(' ') } }
      const { fault: text, method = null, path, times = 1 } = read.value
      const fault = faultIn(text)
      if (fault === null) {
        const says = `There is no fault ${JSON.stringify(text)}; GET /sandbox/faults lists those there are.`
        return { objection: { at: 'fault', says } }
      }
      if (armedOf(account).length === MOST_ARMED)
        return { objection: { at: '', says: `No more than ${MOST_ARMED} faults can wait at once.` } }
      const order = { fault: text, method, path }
      byAccount.set(account, [...armedOf(account), { order, fault, pattern: patternOf(path), times }])
      return { ...order, times }
    },
    disarm: account => void byAccount.delete(account),
    meet(account, method, url) {
      const armed = byAccount.get(account)
      if (armed === undefined) return []
      const path = url.replace(/[?#].*$/s, '').replaceAll(/\/{2,}/g, '/')
      const met = armed.filter(({ order, pattern }) => (order.method ?? method) === method && pattern.test(path))
      for (const waiting of met) waiting.times -= 1
      const left = armed.filter(({ times }) => times > 0)
      if (left.length === 0) byAccount.delete(account)
      else byAccount.set(account, left)
      return met.map(({ fault }) => fault)
    },
  }
}

/** Compiles a path with wildcards. */
function patternOf(path: string): RegExp {
  const parts = path
    .replace(/\/+$/, '')
    .split(/(\*+)/)
    .map(part => {
      if (part.startsWith('**')) return '.*'
      return part === '*' ? '[^/]*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')
    })
  return new RegExp(`^${parts.join('')}/?$`)
}
