// src/services/acquiring-elsewhere.ts — performs orders whose security code or PIN block is in the memory of another node: that
// node calls the acquirer, and the secret stays with it. ADR 70.
import { createBoundedCache } from '../engine/bounded-cache.ts'
import type { AcquirerAnswer } from '../engine/ports/acquirer.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { CallOutcome, NodeLink } from '../engine/ports/node-link.ts'
import type { StoredEffect } from '../engine/ports/store.ts'

/** How long a node waits for the acquirer before it answers unknown, in milliseconds. */
const ACQUIRER_MS = 30_000
/** Time limit of a call, in milliseconds: the acquirer's, and time to read the record. */
const CALL_MS = ACQUIRER_MS + 5_000
/** How long a node that does not answer may still have the secret, in milliseconds. One that died is forgotten long before. */
const PATIENCE_MS = 10_000
/** Effects for which nodes are waited for. With more, the oldest get their time again. */
const MOST_WAITING = 10_000
/** Time for a node to forget a secret, in milliseconds. */
const FORGET_MS = 1_000

/** `gone`: the secret is not in the memory of this process, or the acquirer is not to be asked any more. */
export type SecretAnswer = AcquirerAnswer | 'gone'

export interface AcquiringElsewhereParts {
  readonly link: NodeLink
  readonly clock: Clock
  /** Prefix of the names of the calls. */
  readonly name: 'payment' | 'transaction'
  /** Performs the order of an effect, if this process has its secret. */
  readonly perform: (effect: StoredEffect) => Promise<SecretAnswer>
  /** Forgets the secret of a payment or transaction. */
  readonly forget: (id: string) => void
}

export interface AcquiringElsewhere {
  /**
   * Has the order of an effect performed by the node that has its secret, under the effect's id. `gone`: no node has it. `again`: a
   * node that may have it has not answered, so the effect must be retried.
   */
  request(effect: StoredEffect): Promise<SecretAnswer | 'again'>
  /** Lets the other nodes forget a secret, because this one has a later one. Resolves when those that answer have. */
  forget(id: string): Promise<void>
}

export function createAcquiringElsewhere(parts: AcquiringElsewhereParts): AcquiringElsewhere {
  const { link, clock } = parts
  const name = `${parts.name}.authorise`
  const forgetName = `${parts.name}.forget_secret`
  /** Orders that this process performs for others, so that a repeated call waits for the same answer. */
  const underWay = new Map<string, Promise<SecretAnswer>>()
  /** When an effect was first not answered by a node, epoch milliseconds. */
  const waitingSince = createBoundedCache<string, number>(MOST_WAITING)

  function perform(effect: StoredEffect): Promise<SecretAnswer> {
    const key = keyOf(effect)
    const known = underWay.get(key)
    if (known !== undefined) return known
    const performed = parts.perform(effect)
    underWay.set(key, performed)
    const end = () => void underWay.delete(key)
    performed.then(end, end)
    return performed
  }

  link.handle(name, body => answerWithin(clock, perform(body as StoredEffect)))
  link.handle(forgetName, async body => parts.forget((body as { readonly id: string }).id))

  return {
    async request(effect) {
      const calls = link.others.map(node => link.call(node, name, effect, CALL_MS))
      const given = await firstGiven(calls)
      const key = keyOf(effect)
      if (given !== null) {
        waitingSince.delete(key)
        return given
      }
      const isCertain = (await Promise.all(calls)).every(({ outcome }) => outcome === 'answered')
      const now = clock.now()
      const since = waitingSince.get(key) ?? now
      if (isCertain || now >= since + PATIENCE_MS) {
        waitingSince.delete(key)
        return 'gone'
      }
      waitingSince.set(key, since)
      return 'again'
    },
    async forget(id) {
      await Promise.all(link.others.map(node => link.call(node, forgetName, { id }, FORGET_MS)))
    },
  }
}

function keyOf({ account, effectId }: StoredEffect): string {
  return `${account}/${effectId}`
}

/** The first answer of an acquirer; null when no node has one. */
async function firstGiven(calls: readonly Promise<CallOutcome>[]): Promise<AcquirerAnswer | null> {
  const given = calls.map(async call => {
    const called = await call
    if (called.outcome !== 'answered' || called.body === 'gone') throw new Error('not this node')
    return called.body as AcquirerAnswer
  })
  return Promise.any(given).catch(() => null)
}

/** An acquirer that takes longer is asked again under the same order id. */
function answerWithin(clock: Clock, performed: Promise<SecretAnswer>): Promise<SecretAnswer> {
  return new Promise((resolve, reject) => {
    const alarm = clock.alarm(clock.now() + ACQUIRER_MS, () => resolve({ answer: 'unknown' }))
    performed.then(resolve, reject).finally(() => alarm.cancel())
  })
}
