// src/api/http/start-once.ts — starts a transaction, report or table at most once per idempotency key.

import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import { MAY_BE_CARD } from '../../domain/refusals.ts'
import type { Executed } from '../../engine/engine.ts'
import { fingerprintOf, type Once, once } from '../../engine/idempotency.ts'
import type { Idempotency } from '../../engine/ports/store.ts'
import type { AccountRequestContext, Answer } from '../operation.ts'
import type { Refused } from '../read/json-body.ts'

/** 1 to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

export interface Started {
  readonly requestId: string
}

/** The id of a start, with the idempotency key if the request has one. */
export interface StartedUnder extends Started {
  readonly idempotency?: Idempotency
}

/** Returns the `Idempotency-Key` of a request, if it has one. */
export function idempotencyKeyOf({ request }: AccountRequestContext): string | undefined {
  const key = request.headers['idempotency-key']
  return key === undefined ? undefined : String(key)
}

/**
 * Starts something under a new id, or finds what the same idempotency key has started before.
 * @param contents contents of the request. The same key with other contents is refused with `idempotency_key_reused`
 */
export function startOnce(
  context: AccountRequestContext,
  contents: readonly unknown[],
  start: (under: StartedUnder) => Promise<Executed<unknown, unknown>>,
): Promise<Once<Started & { readonly replayed: boolean }>> {
  const { api, account } = context
  const key = idempotencyKeyOf(context)
  if (key === undefined) return startUnder(context, key, contents, start)
  if (!IDEMPOTENCY_KEY.test(key)) return Promise.resolve(KEY_INVALID)
  if (!idHoldsCardNumber(key)) return startUnder(context, key, contents, start)
  // A key that is stored already, by an older version, gets its answer.
  return api.store
    .idempotencyOf(account.id, key)
    .then(stored => (stored === null ? KEY_MAY_BE_CARD : startUnder(context, key, contents, start)))
}

const KEY_INVALID = keyInvalid('is not valid. It must be 1 to 255 visible ASCII characters.')
const KEY_MAY_BE_CARD = keyInvalid(MAY_BE_CARD)

function keyInvalid(detail: string): Refused {
  return { refused: { code: 'header_invalid', field: 'Idempotency-Key', detail } }
}

function startUnder(
  { api, account }: AccountRequestContext,
  key: string | undefined,
  contents: readonly unknown[],
  start: (under: StartedUnder) => Promise<Executed<unknown, unknown>>,
): Promise<Once<Started & { readonly replayed: boolean }>> {
  const requestId = api.random.uuid()
  const begin = async (under: StartedUnder) => {
    const executed = await start(under)
    return 'record' in executed ? { answer: { requestId } } : executed
  }
  const starting =
    key === undefined
      ? begin({ requestId })
      : once(
          { store: api.store, clock: api.clocks.of(account.id) },
          { account: account.id, key, fingerprint: fingerprintOf(contents), answer: { requestId } },
          idempotency => begin({ requestId, idempotency }),
        )
  return starting.then(outcome => {
    if ('repeated' in outcome) throw new Error('a start without an idempotency key was taken for a repetition')
    if ('refused' in outcome) return outcome
    const { requestId: startedId } = outcome.answer
    return { answer: { requestId: startedId, replayed: startedId !== requestId } }
  })
}

/** Builds the 201 answer with the address to poll. */
export function startedAnswer(requestId: string, location: string, replayed: boolean): Answer {
  return {
    status: 201,
    body: { requestId, location },
    headers: { location, ...(replayed ? { 'idempotency-replayed': 'true' } : {}) },
  }
}
