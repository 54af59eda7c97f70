// src/engine/online/webhooks.ts — from a payment's commit to a merchant's server: a message in the outbox for each thing
// to be told, tried until it is taken, those about one payment one after the other.

import { hash } from 'node:crypto'
import type { WebhookBody, WebhookEffect } from '../../domain/webhook.ts'
import type { Attempt, DeliveryEvent, Drill, WebhookDelivery } from '../../domain/webhook-delivery.ts'
import { recordIn } from '../bodies.ts'
import type { Performers } from '../effects.ts'
import type { Engine, Executed } from '../engine.ts'
import type { Clock, Clocks, Log, Random, Store, StoredEffect, StoredTimer } from '../ports.ts'
import type { Courier, CourierOutcome, Vault } from './ports.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from './webhook-machines.ts'
import type { SecretKeeper } from './webhook-secrets.ts'
import { freshSecret, signedHeaders } from './webhook-signature.ts'

/** Online reference 6.2. */
const TRY_LIMIT_MS = 10_000
/** More messages about one payment than it can have. */
const MOST_OF_ONE = 100
/** Drills that wait in one account. */
const MOST_DRILLS = 100

export interface Webhooks {
  readonly secrets: SecretKeeper
  /** Sends a message again, under its old id, whether it was taken or given up. */
  resend(account: string, deliveryId: string): Promise<Executed<WebhookDelivery, DeliveryEvent>>
  /** Makes the next messages of an account go wrong on purpose, one each. False: too many wait already. */
  drill(account: string, drill: Drill, times: number): boolean
  /** Drills that wait, the next one first. */
  drills(account: string): readonly Drill[]
  disarm(account: string): void
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

export interface WebhookParts {
  readonly engine: Engine
  readonly store: Store
  readonly vault: Vault
  readonly courier: Courier
  readonly secrets: SecretKeeper
  /** The time of receivers, whatever that of an account is: they compare the signature's time with their own. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly random: Random
  readonly log: Log
}

/** Binds webhooks to their ports. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { engine, clocks, secrets } = parts
  // In this process only, like faults: who arms a drill means the messages that come next.
  const armed = new Map<string, Drill[]>()
  const fire = async ({ account, id, name }: StoredTimer): Promise<boolean> => {
    const command = { type: 'time_is_up', timer: name, at: clocks.of(account).now() } as const
    const executed = await engine.execute(WEBHOOK_DELIVERY, { account, id }, command)
    return 'events' in executed && executed.events.length > 0
  }
  return {
    secrets,
    resend: (account, deliveryId) => engine.execute(WEBHOOK_DELIVERY, { account, id: deliveryId }, { type: 'resend' }),
    drill(account, drill, times) {
      const waiting = armed.get(account) ?? []
      if (waiting.length + times > MOST_DRILLS) return false
      armed.set(account, [...waiting, ...Array.from({ length: times }, () => drill)])
      return true
    },
    drills: account => armed.get(account) ?? [],
    disarm: account => void armed.delete(account),
    performers: {
      ...secrets.performers,
      'webhook.announce': effect => announce(parts, effect, armed),
      'webhook.send': effect => send(parts, effect),
      async 'webhook.look_for_next'(effect) {
        const entry = await engine.read(WEBHOOK_DELIVERY, effect)
        if (entry !== null) await releaseNext(parts, effect.account, entry.record.subject)
        return 'done'
      },
    },
    fire: timer => (timer.kind === WEBHOOK_SECRETS.kind ? secrets.fire(timer) : fire(timer)),
  }
}

/** The id of a message by the effect that asks for it: asked twice, it is one message. */
function deliveryIdOf(effectId: string): string {
  return `msg_${hash('sha256', effectId, 'hex').slice(0, 32)}`
}

/** Puts the message into the outbox. */
async function announce(parts: WebhookParts, effect: StoredEffect, armed: Map<string, Drill[]>): Promise<'done'> {
  const { engine, vault } = parts
  const { account } = effect
  const deliveryId = deliveryIdOf(effect.effectId)
  if ((await engine.read(WEBHOOK_DELIVERY, { account, id: deliveryId })) !== null) return 'done'
  const { url, subject, orderId, merchantTransactionId, token } = JSON.parse(effect.body) as WebhookEffect
  const tokenReference =
    'vault' in token ? token.vault : await vault.keepText(account, 'access-token', token.clear, subject)
  const [drill = null, ...others] = armed.get(account) ?? []
  if (drill !== null) armed.set(account, others)
  await engine.execute(
    WEBHOOK_DELIVERY,
    { account, id: deliveryId },
    {
      type: 'announce',
      ...{ deliveryId, merchantAccount: account, url, subject, orderId, merchantTransactionId, tokenReference },
    },
    { facts: async () => ({ drill, standsBehind: (await inLine(parts, account, subject)).length > 0 }) },
  )
  return 'done'
}

/** What is still to be delivered about a subject, oldest first. One that a drill shuffles stands in no line. */
async function inLine({ store }: WebhookParts, account: string, subject: string): Promise<readonly WebhookDelivery[]> {
  const query = { kind: WEBHOOK_DELIVERY.kind, parent: subject, live: true, limit: MOST_OF_ONE }
  const listed = await store.list(account, query)
  return listed
    .map(({ body }) => recordIn(WEBHOOK_DELIVERY, body))
    .filter(({ drill, progress }) => drill !== 'shuffled' || progress !== 'held')
    .reverse()
}

async function releaseNext(parts: WebhookParts, account: string, subject: string): Promise<void> {
  const [first] = await inLine(parts, account, subject)
  if (first?.progress !== 'queued') return
  await parts.engine.execute(WEBHOOK_DELIVERY, { account, id: first.deliveryId }, { type: 'take_turn' })
}

/** One try. When the gateway dies between the answer and its commit, the same message is sent once more. */
async function send(parts: WebhookParts, effect: StoredEffect): Promise<'done' | 'recorded'> {
  const { engine, clocks, clock, log } = parts
  const { account, id, effectId } = effect
  const entry = await engine.read(WEBHOOK_DELIVERY, effect)
  // The number at which this try was asked for stands in the effect's id.
  if (entry === null || entry.record.progress !== 'sending' || !effectId.startsWith(`${id}.${entry.version}.`))
    return 'done'
  const { record } = entry
  const startedAt = clocks.of(account).now()
  const before = clock.now()
  const outcome = await post(parts, record)
  if (record.drill === 'twice' && record.tries === 1) await post(parts, record)
  const attempt = attemptOf(record.tries, startedAt, clock.now() - before, outcome)
  const executed = await engine.execute(
    WEBHOOK_DELIVERY,
    { account, id },
    { type: 'tried', attempt, at: clocks.of(account).now() },
    { effectsDone: [effectId] },
  )
  if (!('events' in executed) || executed.events.length === 0) return 'done'
  const { status, reason } = attempt
  log.info({ deliveryId: id, attempt: attempt.number, status, reason, next: executed.record.progress }, 'webhook tried')
  return 'recorded'
}

async function post(parts: WebhookParts, record: WebhookDelivery): Promise<CourierOutcome> {
  const { vault, courier, secrets, clock, random } = parts
  const { merchantAccount: account, deliveryId: id, url } = record
  const token = await vault.openText(account, 'access-token', record.tokenReference)
  if (token === null) return { outcome: 'failed', reason: 'The access token is not in the vault any more.' }
  const body = JSON.stringify(bodyOf(record, token))
  const { current, previous } = await secrets.of(account)
  const inForce = [current, ...previous.map(({ secret }) => secret)]
  const signing = record.drill === 'badly_signed' && record.tries === 1 ? [freshSecret(random)] : inForce
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tollgate',
    ...signedHeaders({ id, body }, signing, clock.now()),
  }
  return courier.post({ url, headers, body, limitMs: TRY_LIMIT_MS })
}

/** Online reference 6.1, in its order. */
function bodyOf({ orderId, merchantTransactionId }: WebhookDelivery, token: string): WebhookBody {
  return { id: token, orderId, ...(merchantTransactionId === null ? {} : { merchantTransactionId }) }
}

function attemptOf(number: number, startedAt: number, tookMs: number, outcome: CourierOutcome): Attempt {
  return outcome.outcome === 'answered'
    ? { number, startedAt, tookMs, status: outcome.status, reason: '' }
    : { number, startedAt, tookMs, status: null, reason: outcome.reason }
}
