// src/services/webhooks/webhooks.ts — from a payment's commit to a merchant's server: a message in the outbox for each thing
// to be told, tried until it is taken, those about one payment one after the other.

import { hash } from 'node:crypto'
import type { DeliveryId, EffectId, MerchantAccountId } from '../../domain/ids.ts'
import type { WebhookBody, WebhookEffect } from '../../domain/webhooks/webhook.ts'
import type { Attempt, DeliveryEvent, WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import {
  attachedName,
  type DeliveryOverrides,
  overrideNameOf,
  overrideOf,
} from '../../engine/ports/delivery-overrides.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store, StoredEffect, StoredTimer } from '../../engine/ports/store.ts'
import type { Vault } from '../../engine/ports/vault.ts'
import type { WebhookSender, WebhookSendOutcome } from '../../engine/ports/webhook-sender.ts'
import {
  type DeliveryMachine,
  deliveriesUnder,
  WEBHOOK_DELIVERY,
  WEBHOOK_SECRETS,
} from '../../engine/webhook-machines.ts'
import type { SecretKeeper } from './webhook-secret-keeper.ts'
import { signedHeaders } from './webhook-signature.ts'

/** Online reference 6.2. */
const TRY_LIMIT_MS = 10_000
/** More messages about one payment than it can have. */
const MOST_OF_ONE = 100

export interface Webhooks {
  readonly secrets: SecretKeeper
  /** Sends a message again, under its old id, whether it was taken or given up. */
  resend(account: MerchantAccountId, deliveryId: DeliveryId): Promise<Executed<WebhookDelivery, DeliveryEvent>>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

export interface WebhookParts {
  readonly engine: Engine
  readonly store: Store
  readonly vault: Vault
  readonly webhookSender: WebhookSender
  readonly secrets: SecretKeeper
  /** What else than usual is to happen; null: nothing. */
  readonly overrides: DeliveryOverrides | null
  /** The time of receivers, whatever that of an account is: they compare the signature's time with their own. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly log: Log
}

/** The parts, and the machine of deliveries over them. */
interface Outbox extends WebhookParts {
  readonly machine: DeliveryMachine
}

/** Binds webhooks to their ports. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { engine, clocks, secrets } = parts
  const machine = deliveriesUnder(parts.overrides)
  const outbox: Outbox = { ...parts, machine }
  const fire = async ({ account, id, name }: StoredTimer): Promise<boolean> => {
    const command = { type: 'time_is_up', timer: name, at: clocks.of(account).now() } as const
    const executed = await engine.execute(machine, { account, id }, command, { timer: true })
    return 'events' in executed && executed.events.length > 0
  }
  return {
    secrets,
    resend: (account, deliveryId) => engine.execute(machine, { account, id: deliveryId }, { type: 'resend' }),
    performers: {
      ...secrets.performers,
      'webhook.announce': effect => announce(outbox, effect),
      'webhook.send': effect => send(outbox, effect),
      async 'webhook.look_for_next'(effect) {
        const entry = await engine.read(machine, effect)
        if (entry !== null) await releaseNext(outbox, effect.account, entry.record.subject)
        return 'done'
      },
    },
    fire: timer => (timer.kind === WEBHOOK_SECRETS.kind ? secrets.fire(timer) : fire(timer)),
  }
}

/** The id of a message by the effect that asks for it: asked twice, it is one message. */
function deliveryIdOf(effectId: EffectId): string {
  return `msg_${hash('sha256', effectId, 'hex').slice(0, 32)}`
}

/** Puts the message into the outbox. */
async function announce(outbox: Outbox, effect: StoredEffect): Promise<'done'> {
  const { engine, vault, machine, overrides } = outbox
  const { account } = effect
  const deliveryId = deliveryIdOf(effect.effectId)
  if ((await engine.read(machine, { account, id: deliveryId })) !== null) return 'done'
  const { url, subject, orderId, merchantTransactionId, token } = JSON.parse(effect.body) as WebhookEffect
  const tokenReference =
    'vault' in token ? token.vault : await vault.keepText(account, 'access-token', token.clear, subject)
  const name = overrides?.take(account) ?? null
  const keptBack = overrideOf(overrides, name).heldMs > 0
  const attached = attachedName(name)
  await engine.execute(
    machine,
    { account, id: deliveryId },
    {
      type: 'announce',
      ...{ deliveryId, merchantAccount: account, url, subject, orderId, merchantTransactionId, tokenReference },
    },
    { facts: async () => ({ standsBehind: (await inLine(outbox, account, subject)).length > 0, keptBack, attached }) },
  )
  return 'done'
}

/** What is still to be delivered about a subject, oldest first. One that is held and lets others pass stands in no line. */
async function inLine(
  { store, overrides }: Outbox,
  account: MerchantAccountId,
  subject: string,
): Promise<readonly WebhookDelivery[]> {
  const query = { kind: WEBHOOK_DELIVERY.kind, parent: subject, live: true, limit: MOST_OF_ONE }
  const listed = await store.list(account, query)
  const isPassed = (delivery: WebhookDelivery) =>
    delivery.progress === 'held' && overrideOf(overrides, overrideNameOf(delivery)).letsOthersPass
  return listed
    .map(({ body }) => decodeRecord(WEBHOOK_DELIVERY, body))
    .filter(delivery => !isPassed(delivery))
    .reverse()
}

async function releaseNext(outbox: Outbox, account: MerchantAccountId, subject: string): Promise<void> {
  const [first] = await inLine(outbox, account, subject)
  if (first?.progress !== 'queued') return
  await outbox.engine.execute(outbox.machine, { account, id: first.deliveryId }, { type: 'take_turn' })
}

/** One try. When the gateway dies between the answer and its commit, the same message is sent once more. */
async function send(outbox: Outbox, effect: StoredEffect): Promise<'done' | 'recorded'> {
  const { engine, clocks, clock, log, machine, overrides } = outbox
  const { account, id, effectId } = effect
  const entry = await engine.read(machine, effect)
  // The number at which this try was asked for stands in the effect's id.
  if (entry === null || entry.record.progress !== 'sending' || !effectId.startsWith(`${id}.${entry.version}.`))
    return 'done'
  const { record } = entry
  const startedAt = clocks.of(account).now()
  const before = clock.now()
  const override = overrideOf(overrides, overrideNameOf(record))
  const outcome = await override.attempt(record.tries, given => post(outbox, record, given))
  const attempt = attemptOf(record.tries, startedAt, clock.now() - before, outcome)
  const executed = await engine.execute(
    machine,
    { account, id },
    { type: 'tried', attempt, at: clocks.of(account).now() },
    { effectsDone: [effectId] },
  )
  if (!('events' in executed) || executed.events.length === 0) return 'done'
  const { status, reason } = attempt
  log.info({ deliveryId: id, attempt: attempt.number, status, reason, next: executed.record.progress }, 'webhook tried')
  return 'recorded'
}

/** @param given secrets to sign with instead of those in force */
async function post(
  { vault, webhookSender, secrets, clock }: Outbox,
  record: WebhookDelivery,
  given?: readonly string[],
): Promise<WebhookSendOutcome> {
  const { merchantAccount: account, deliveryId: id, url } = record
  const token = await vault.openText(account, 'access-token', record.tokenReference)
  if (token === null) return { outcome: 'failed', reason: 'The access token is not in the vault any more.' }
  const body = JSON.stringify(bodyOf(record, token))
  const { current, previous } = await secrets.of(account)
  const signing = given ?? [current, ...previous.map(({ secret }) => secret)]
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tollgate',
    ...signedHeaders({ id, body }, signing, clock.now()),
  }
  return webhookSender.post({ url, headers, body, limitMs: TRY_LIMIT_MS })
}

/** Online reference 6.1, in its order. */
function bodyOf({ orderId, merchantTransactionId }: WebhookDelivery, token: string): WebhookBody {
  return { id: token, orderId, ...(merchantTransactionId === null ? {} : { merchantTransactionId }) }
}

function attemptOf(number: number, startedAt: number, tookMs: number, outcome: WebhookSendOutcome): Attempt {
  return outcome.outcome === 'answered'
    ? { number, startedAt, tookMs, status: outcome.status, reason: '' }
    : { number, startedAt, tookMs, status: null, reason: outcome.reason }
}
