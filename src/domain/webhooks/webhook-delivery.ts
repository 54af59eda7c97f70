// src/domain/webhooks/webhook-delivery.ts — the delivery of one webhook: its attempts, retries and end.
import type { DeliveryId, MerchantAccountId } from '../ids.ts'
import {
  accepts,
  type Decision,
  type Effect,
  type EventEnvelope,
  next,
  type Timer,
  type Transitions,
} from '../machine.ts'
import type { Refusal } from '../refusals.ts'

/**
 * `held`: delayed before its first attempt. `queued`: an earlier webhook of the same payment is not delivered yet.
 * `sending`: an attempt is in progress. `waiting`: for the next attempt.
 */
export type DeliveryProgress = 'held' | 'queued' | 'sending' | 'waiting' | 'delivered' | 'given_up'

export interface DeliveryOrder {
  readonly deliveryId: DeliveryId
  readonly merchantAccount: MerchantAccountId
  readonly url: string
  readonly subject: string
  readonly orderId: string
  readonly merchantTransactionId: string | null
  /** Vault reference of the access token, which the webhook has in clear. */
  readonly tokenReference: string
}

export interface Attempt {
  readonly number: number
  readonly startedAt: number
  readonly tookMs: number
  /** HTTP status; null without an answer. */
  readonly status: number | null
  /** Why there was no answer; empty when there was one. */
  readonly reason: string
}

export type DeliveryEvent =
  | ({ readonly type: 'announced'; readonly begins: 'held' | 'queued' | 'sending' } & DeliveryOrder)
  | { readonly type: 'turn_came' }
  | { readonly type: 'retry_came' }
  | { readonly type: 'resend_asked' }
  | { readonly type: 'accepted'; readonly attempt: Attempt }
  | { readonly type: 'failed'; readonly attempt: Attempt; readonly nextTryAt: number }
  | { readonly type: 'gave_up'; readonly attempt: Attempt }

type EventType = DeliveryEvent['type']

export const TRANSITIONS: Transitions<DeliveryProgress, EventType> = {
  held: { turn_came: 'sending' },
  queued: { turn_came: 'sending' },
  sending: { accepted: 'delivered', failed: 'waiting', gave_up: 'given_up' },
  // An attempt that counted as lost may still end with success.
  waiting: { retry_came: 'sending', resend_asked: 'sending', accepted: 'delivered' },
  delivered: { resend_asked: 'sending' },
  given_up: { resend_asked: 'sending' },
}

export interface WebhookDelivery extends DeliveryOrder {
  readonly version: number
  readonly progress: DeliveryProgress
  readonly createdAt: number
  readonly changedAt: number
  /** Number of the current or last attempt. */
  readonly tries: number
  /** First attempt since creation or the last resend, and failures since then. */
  readonly series: { readonly firstTriedAt: number | null; readonly failures: number }
  readonly nextTryAt: number | null
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[]
}

export type DeliveryCommand =
  | ({ readonly type: 'announce' } & DeliveryOrder)
  | { readonly type: 'take_turn' }
  | { readonly type: 'resend' }
  | { readonly type: 'time_is_up'; readonly timer: string; readonly at: number }
  /** An attempt has ended. */
  | { readonly type: 'tried'; readonly attempt: Attempt; readonly at: number }

export interface DeliveryFacts {
  /** Another webhook of the same payment is not delivered yet. */
  readonly standsBehind: boolean
  /** An override delays it before its first attempt. */
  readonly isDelayed: boolean
  readonly attached: Attached
}

/** Extra members stored in event and record from the announcement on. This machine does not read them. */
export type Attached = Readonly<Record<string, string | null>>

export interface DeliveryEffect {
  readonly type: 'webhook.send' | 'webhook.look_for_next'
}

// Retries after 10, 20, 40 … 600 seconds, as long as the next attempt is within two hours of the first. See docs/webhooks.md.
const FIRST_WAIT_MS = 10_000
const LONGEST_WAIT_MS = 600_000
export const RETRIED_FOR_MS = 7_200_000
/** An attempt takes ten seconds at most; one without an outcome for this long counts as lost and is repeated. */
const TRY_LIMIT_MS = 120_000
/** A queued webhook is sent anyway after this time: the one before it must have ended long before. */
const QUEUE_LIMIT_MS = 3 * 3_600_000
/** Stored attempts: a whole retry schedule and some resends. */
const ATTEMPTS_STORED = 40

/** Whether the server has accepted it. Any other status is retried, redirects included. */
function isTaken(status: number | null): boolean {
  return status === 200 || status === 201
}

/** Delay after this number of consecutive failures, in milliseconds. */
function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10))
}

/** Decides a command on the current record. Late or repeated commands change nothing. */
export function decide(
  record: WebhookDelivery | null,
  command: DeliveryCommand,
  facts: DeliveryFacts | null,
): Decision<DeliveryEvent, Refusal> {
  if (command.type === 'announce') {
    if (record !== null) return { events: [] }
    const begins = facts?.standsBehind === true ? 'queued' : facts?.isDelayed === true ? 'held' : 'sending'
    return { events: [{ ...command, type: 'announced', begins, ...facts?.attached }] }
  }
  if (record === null) return { refused: { code: 'delivery_unknown' } }
  switch (command.type) {
    case 'take_turn':
      return moved(record, { type: 'turn_came' }, record.progress === 'queued')
    case 'resend':
      if (!accepts(TRANSITIONS, record.progress, 'resend_asked')) return { refused: { code: 'delivery_under_way' } }
      return { events: [{ type: 'resend_asked' }] }
    case 'time_is_up':
      return timeIsUp(record, command.timer, command.at)
    case 'tried':
      return { events: triedBy(record, command.attempt, command.at) }
  }
}

function moved(record: WebhookDelivery, event: DeliveryEvent, wanted: boolean): Decision<DeliveryEvent, Refusal> {
  return { events: wanted && accepts(TRANSITIONS, record.progress, event.type) ? [event] : [] }
}

function timeIsUp(record: WebhookDelivery, timer: string, at: number): Decision<DeliveryEvent, Refusal> {
  if (timer !== record.progress) return { events: [] }
  switch (record.progress) {
    case 'held':
    case 'queued':
      return moved(record, { type: 'turn_came' }, true)
    case 'waiting':
      return moved(record, { type: 'retry_came' }, true)
    case 'sending': {
      // The gateway was down, perhaps for hours. That says nothing about the receiver, so the delivery is not given up.
      const lost = { number: record.tries, startedAt: at, tookMs: 0, status: null, reason: 'Lost sight of.' }
      return { events: [{ type: 'failed', attempt: lost, nextTryAt: at + FIRST_WAIT_MS }] }
    }
    case 'delivered':
    case 'given_up':
      return { events: [] }
  }
}

function triedBy(record: WebhookDelivery, attempt: Attempt, at: number): readonly DeliveryEvent[] {
  if (attempt.number !== record.tries) return []
  if (isTaken(attempt.status))
    return accepts(TRANSITIONS, record.progress, 'accepted') ? [{ type: 'accepted', attempt }] : []
  if (record.progress !== 'sending') return []
  const nextTryAt = at + waitAfter(record.series.failures + 1)
  const firstTriedAt = record.series.firstTriedAt ?? attempt.startedAt
  return nextTryAt - firstTriedAt > RETRIED_FOR_MS
    ? [{ type: 'gave_up', attempt }]
    : [{ type: 'failed', attempt, nextTryAt }]
}

const NO_SERIES: WebhookDelivery['series'] = { firstTriedAt: null, failures: 0 }

/** Folds one event into the record. */
export function apply(before: WebhookDelivery | null, { event, at }: EventEnvelope<DeliveryEvent>): WebhookDelivery {
  if (event.type === 'announced') {
    // `order` includes the attached members.
    const { type: _, begins, ...order } = event
    return {
      ...order,
      version: 1,
      progress: begins,
      createdAt: at,
      changedAt: at,
      tries: begins === 'sending' ? 1 : 0,
      series: NO_SERIES,
      nextTryAt: null,
      attempts: [],
    }
  }
  if (before === null) throw new Error(`${event.type} before announced`)
  const record: WebhookDelivery = {
    ...before,
    version: before.version + 1,
    progress: next(TRANSITIONS, before.progress, event.type),
    changedAt: at,
    nextTryAt: null,
  }
  switch (event.type) {
    case 'turn_came':
    case 'retry_came':
      return { ...record, tries: before.tries + 1 }
    case 'resend_asked':
      return { ...record, tries: before.tries + 1, series: NO_SERIES }
    case 'accepted':
    case 'gave_up':
      return withAttempt(record, event.attempt)
    case 'failed':
      return { ...withAttempt(record, event.attempt), nextTryAt: event.nextTryAt }
  }
}

function withAttempt(record: WebhookDelivery, attempt: Attempt): WebhookDelivery {
  const { firstTriedAt, failures } = record.series
  return {
    ...record,
    series: { firstTriedAt: firstTriedAt ?? attempt.startedAt, failures: failures + (isTaken(attempt.status) ? 0 : 1) },
    attempts: [...record.attempts, attempt].slice(-ATTEMPTS_STORED),
  }
}

export function effectsOf(_event: DeliveryEvent, record: WebhookDelivery): readonly Effect<DeliveryEffect>[] {
  const effect = (type: DeliveryEffect['type']) => [
    { id: `${record.deliveryId}.${record.version}.${type}`, type, payload: { type } },
  ]
  switch (record.progress) {
    case 'sending':
      return effect('webhook.send')
    // The one before may have ended while this one was being committed.
    case 'queued':
    case 'delivered':
    case 'given_up':
      return effect('webhook.look_for_next')
    case 'held':
    case 'waiting':
      return []
  }
}

/** The timer has the name of the state that it ends. @param heldMs delay of a held delivery, in milliseconds */
export function timersOf(record: WebhookDelivery, heldMs: number): readonly Timer[] {
  const { progress, changedAt, createdAt, nextTryAt } = record
  switch (progress) {
    case 'held':
      return [{ name: progress, dueAt: createdAt + heldMs }]
    case 'queued':
      return [{ name: progress, dueAt: createdAt + QUEUE_LIMIT_MS }]
    case 'sending':
      return [{ name: progress, dueAt: changedAt + TRY_LIMIT_MS }]
    case 'waiting':
      return [{ name: progress, dueAt: nextTryAt ?? changedAt }]
    case 'delivered':
    case 'given_up':
      return []
  }
}

/** Whether it is not delivered and not given up. */
export function isOpen({ progress }: Pick<WebhookDelivery, 'progress'>): boolean {
  return progress !== 'delivered' && progress !== 'given_up'
}
