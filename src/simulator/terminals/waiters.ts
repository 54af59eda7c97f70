// src/simulator/terminals/waiters.ts — starts waiter scripts on simulated terminals: built in, or from the request.

import { MISPLACED, readStrictly, sentenceOf } from '../../api/read/strict-document.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber, maskCardNumbers } from '../../domain/card-numbers.ts'
import type { SandboxWaiters, Unplayable } from '../controls.ts'
import { WAITER_ORDER } from '../scenarios/waiter-script.ts'
import type { Setup } from './device.ts'
import type { TerminalRuntime } from './terminal-runtime.ts'
import { WAITER_SCRIPTS } from './waiter-library.ts'

export interface WaiterControlsParts {
  readonly at: (terminal: Terminal) => TerminalRuntime
  readonly setupOf: (terminal: Terminal) => Promise<Setup>
  /** Whether the account has a scenario of this name. */
  readonly isPlayable: (account: string, scenario: string) => boolean
}

/** Waiter id when neither script nor request has one. */
const ANY_WAITER = '1'

/** Creates the controls that start scripts on terminals. */
export function createWaiterControls({ at, setupOf, isPlayable }: WaiterControlsParts): SandboxWaiters {
  return {
    list: () => WAITER_SCRIPTS,
    async send(terminal, order) {
      const read = readStrictly(WAITER_ORDER, order)
      if ('problems' in read) return refusal('', read.problems.map(sentenceOf).join(' '))
      const { script: wanted, ...changes } = read.value
      const script = typeof wanted === 'string' ? WAITER_SCRIPTS.find(({ name }) => name === wanted) : wanted
      if (script === undefined)
        return refusal('script', `There is no waiter script ${String(wanted)}. See GET /sandbox/waiters.`)
      for (const [index, step] of script.steps.entries())
        if ('scenario' in step && step.scenario !== undefined && !isPlayable(terminal.merchantAccount, step.scenario))
          return refusal(`script.steps[${index}].scenario`, `There is no scenario ${step.scenario}.`)
      const { title = '', ...rest } = { ...script, ...changes }
      const given = { ...rest, title: maskCardNumbers(title) }
      for (const field of ['name', 'table', 'waiterId'] as const)
        if (idHoldsCardNumber(given[field] ?? '')) return refusal(field, `${field} ${MISPLACED}.`)
      const setup = await setupOf(terminal)
      const { waiterId = ANY_WAITER } = given
      return at(terminal).take({ type: 'waiter', waiterId, setup, script: given }) ? 'begun' : 'refused'
    },
  }
}

function refusal(place: string, says: string): Unplayable {
  return { refusal: { at: place, says } }
}
