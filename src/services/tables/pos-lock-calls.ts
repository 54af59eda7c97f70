// src/services/tables/pos-lock-calls.ts — lock requests to a till whose connection is on another node: no answer is lost while
// both nodes live. ADR 70.

import type { MerchantAccountId } from '../../domain/ids.ts'
import { createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Random } from '../../engine/ports/random.ts'
import { type RepeatedCallParts, repeatCall } from '../repeated-call.ts'
import {
  NO_ANSWER,
  type PosConnection,
  type RequestingTerminal,
  TILL_CALL_MS,
  type TillAnswer,
  type TillLock,
} from './pos-connections.ts'

/** Lock requests that are remembered on each side. A waiter makes one in minutes, and most end in seconds. */
const MOST_REQUESTS = 1_000

export interface LockCallsParts extends RepeatedCallParts {
  readonly random: Random
  /** The connection of an account's till to this node, or null. */
  readonly of: (account: MerchantAccountId) => PosConnection | null
}

export interface LockCalls {
  /** Requests a lock by way of the node that has the till's connection. @param tooLate as of `PosConnection.lock` */
  request(
    node: string,
    account: MerchantAccountId,
    lock: { readonly who: RequestingTerminal; readonly table: string },
    tooLate: () => void,
  ): Promise<TillAnswer<TillLock>>
}

interface LockCall {
  readonly id: string
  readonly account: MerchantAccountId
  readonly who: RequestingTerminal
  readonly table: string
}

type LockAnswer = TillAnswer<TillLock>

/** Creates both sides: the requests of this node, and the handlers for those of others. */
export function createLockCalls(parts: LockCallsParts): LockCalls {
  const { link, random, of } = parts
  /** What to do when the till confirms after all, by request. */
  const late = createBoundedCache<string, () => void>(MOST_REQUESTS)
  /** Answers to requests of other nodes, which they may have missed. */
  const answers = createBoundedCache<string, Promise<LockAnswer>>(MOST_REQUESTS)

  link.handle('pos.lock', async (body, from) => {
    const { id, account, who, table } = body as LockCall
    const known = answers.get(id)
    if (known !== undefined) return known
    const tellLate = () => void repeatUnlessAnswered(from, 'pos.lock_late', { id })
    const asked = of(account)?.lock(who, table, tellLate) ?? Promise.resolve(NO_ANSWER)
    answers.set(id, asked)
    return asked
  })

  link.handle('pos.lock_outcome', async body => {
    const { id } = body as Pick<LockCall, 'id'>
    const known = answers.get(id) ?? Promise.resolve(NO_ANSWER)
    // A request that has not arrived by now is not passed to the till any more.
    answers.set(id, known)
    return known
  })

  link.handle('pos.lock_late', async body => {
    const { id } = body as Pick<LockCall, 'id'>
    const tooLate = late.get(id)
    late.delete(id)
    tooLate?.()
  })

  async function repeatUnlessAnswered(node: string, name: string, body: unknown): Promise<void> {
    const called = await link.call(node, name, body, TILL_CALL_MS)
    if (called.outcome !== 'answered') await repeatCall(parts, node, name, body, TILL_CALL_MS)
  }

  /** The answer was lost. A lock that the till has granted is as good as one that it confirms too late. */
  async function settle(node: string, id: string): Promise<void> {
    const answer = (await repeatCall(parts, node, 'pos.lock_outcome', { id }, TILL_CALL_MS)) as LockAnswer | undefined
    if (answer?.answer !== 'given') return
    const tooLate = late.get(id)
    late.delete(id)
    if (answer.value.confirmed) tooLate?.()
  }

  return {
    async request(node, account, { who, table }, tooLate) {
      const call: LockCall = { id: random.uuid(), account, who, table }
      late.set(call.id, tooLate)
      const called = await link.call(node, 'pos.lock', call, TILL_CALL_MS)
      if (called.outcome === 'lost') void settle(node, call.id)
      if (called.outcome !== 'answered') return NO_ANSWER
      const answer = called.body as LockAnswer
      if (answer.answer === 'given') late.delete(call.id)
      return answer
    },
  }
}
