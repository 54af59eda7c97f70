// src/services/counter/authorisation-answers.ts — tells terminals the answer to their authorisation, even when it is too late.
import { effectIdOf, type TerminalTransaction } from '../../domain/counter/transaction.ts'
import { authorisationAnswerTo } from '../../domain/counter/transaction-decisions.ts'
import { isAbandoned } from '../../domain/counter/transaction-rules.ts'
import type { EffectId, MerchantAccountId, RequestId } from '../../domain/ids.ts'
import type { Performer } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Terminals } from './terminals.ts'
import { wanted } from './transaction-acquiring.ts'

export interface AuthorisationAnswers {
  readonly perform: Performer
  /** The terminal is back: if it was out of reach when a transaction was given up, it still waits for its answer. */
  reconnected(account: MerchantAccountId, requestId: RequestId): Promise<void>
}

export function createAuthorisationAnswers({
  engine,
  terminals,
  log,
}: {
  readonly engine: Engine
  readonly terminals: Terminals
  readonly log: Log
}): AuthorisationAnswers {
  async function sendAnswer(transaction: TerminalTransaction, effectId: EffectId): Promise<void> {
    const terminal = await terminals.installed(transaction.merchantAccount, transaction.tid)
    if (terminal === null) return
    const answer = authorisationAnswerTo(transaction)
    await terminals.fleet.driverOf(terminal).answerAuthorisation({ effectId, terminal, transaction }, answer)
  }

  return {
    async perform(effect) {
      const transaction = await wanted(engine, effect)
      if (transaction === null) return 'done'
      try {
        await sendAnswer(transaction, effect.effectId)
      } catch (error) {
        if (transaction.progress !== 'finished') throw error
        // The reversal comes next and must not wait for a terminal. A terminal that is back is told then.
        log.info({ requestId: effect.id, error: String(error) }, 'late authorisation answer not delivered to terminal')
      }
      return 'done'
    },
    async reconnected(account, id) {
      const record = (await engine.read(TERMINAL_TRANSACTION, { account, id }))?.record
      if (record === undefined || record.result !== 'TIMED_OUT' || !isAbandoned(record)) return
      await sendAnswer(record, effectIdOf(id, record.version, 'terminal.answer_authorisation'))
    },
  }
}
