// src/engine/online/facts.ts — what a decision about an online payment must know: the time, and whether the same is being
// paid already.
import type { OnlinePayment } from '../../domain/online-payment.ts'
import { isAsked, repetitionKey } from '../../domain/online-payment.ts'
import type { OnlineFacts } from '../../domain/online-payment-decisions.ts'
import type { Submission } from '../../domain/online-payment-events.ts'
import type { ExecuteOptions } from '../engine.ts'
import type { Clocks, Key, Store } from '../ports.ts'
import { ONLINE_PAYMENT } from './online-machine.ts'

/** How long after a success the same again is taken for a slip. Online reference 3.5. */
const REPETITION_MS = 60_000
/** Attempts at one order that are looked through, newest first. */
const LOOKED_THROUGH = 50

type Options = ExecuteOptions<OnlinePayment, OnlineFacts | null>

/** Options for a command on this payment. `submission`: of one that is about to be submitted. */
export type OnlineFactsFor = (key: Pick<Key, 'account'>, submission?: Submission) => Options

export function createOnlineFacts({
  store,
  clocks,
}: {
  readonly store: Store
  readonly clocks: Clocks
}): OnlineFactsFor {
  async function isRepetition(record: OnlinePayment, at: number): Promise<boolean> {
    const key = repetitionKey(record)
    if (key === null) return false
    const parent = record.order.orderId
    const attempts = await store.list(record.merchantAccount, {
      kind: ONLINE_PAYMENT.kind,
      parent,
      limit: LOOKED_THROUGH,
    })
    return attempts.some(({ id, body }) => {
      if (id === record.id) return false
      const other = JSON.parse(body) as OnlinePayment
      if (repetitionKey(other) !== key) return false
      return isAsked(other) || (other.statusCode === 0 && at < (other.finishedAt ?? 0) + REPETITION_MS)
    })
  }
  return ({ account }, submission) => ({
    async facts(record) {
      const at = clocks.of(account).now()
      if (record === null) return { at, repetition: false }
      const asked = submission === undefined ? record : { ...record, submission }
      return { at, repetition: mayAskForMoney(asked) && (await isRepetition(asked, at)) }
    },
  })
}

/** Only who has not asked yet can be a repetition; what was asked or has ended is not looked up. */
function mayAskForMoney({ submission, money, progress }: OnlinePayment): boolean {
  return submission !== null && money === 'none' && progress !== 'final' && progress !== 'revoked'
}
