// src/services/webhooks/webhooks.ts — the webhook outbox: creates deliveries, sends them until accepted, in order per payment.
// ADR 22.

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

/** Time limit of an attempt, in milliseconds. See docs/webhooks.md. */
const TRY_LIMIT_MS = 10_000
/** Upper bound of webhooks per payment; a real payment stays far below it. */
const MOST_OF_ONE = 100

export interface Webhooks {
  readonly secrets: SecretKeeper
  /** Sends a webhook again under its id. Refuses with `delivery_under_way` while it is held, queued or being sent. */
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
  /** Overrides of deliveries; null when there are none. */
  readonly overrides: DeliveryOverrides | null
  /** Clock for signatures, independent of the account's clock, because receivers compare the time with their own. */
  readonly clock: Clock
  readonly clocks: Clocks
  readonly log: Log
}

/** The parts, with the machine of deliveries. */
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

/** Id of a delivery, derived from its effect, so that a repeated effect creates no second one. */
function deliveryIdOf(effectId: EffectId): string {
  return `msg_${hash('sha256', effectId, 'hex').slice(0, 32)}`
}

/** Creates the delivery. */
async function announce(outbox: Outbox, effect: StoredEffect): Promise<'done'> {
  const { engine, vault, machine, overrides } = outbox
  const { account } = effect
  const deliveryId = deliveryIdOf(effect.effectId)
  if ((await engine.read(machine, { account, id: deliveryId })) !== null) return 'done'
  const { url, subject, orderId, merchantTransactionId, token } = JSON.parse(effect.body) as WebhookEffect
  const tokenReference =
    'vault' in token ? token.vault : await vault.storeText(account, 'access-token', token.clear, subject)
  const name = overrides?.take(account) ?? null
  const isDelayed = overrideOf(overrides, name).heldMs > 0
  const attached = attachedName(name)
  await engine.execute(
    machine,
    { account, id: deliveryId },
    {
      type: 'announce',
      ...{ deliveryId, merchantAccount: account, url, subject, orderId, merchantTransactionId, tokenReference },
    },
    { facts: async () => ({ standsBehind: (await inLine(outbox, account, subject)).length > 0, isDelayed, attached }) },
  )
  return 'done'
}

/** Undelivered webhooks of a subject, oldest first, without held ones that let others pass. */
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

/** Makes one attempt. If the gateway crashes between the answer and its commit, the webhook is sent once more. */
async function send(outbox: Outbox, effect: StoredEffect): Promise<'done' | 'recorded'> {
  const { engine, clocks, clock, log, machine, overrides } = outbox
  const { account, id, effectId } = effect
  const entry = await engine.read(machine, effect)
  // The effect's id contains the version at which this attempt was requested.
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
  log.info(
    { deliveryId: id, attempt: attempt.number, status, reason, next: executed.record.progress },
    'webhook attempted',
  )
  return 'recorded'
}

/** Signs and posts. @param given secrets to sign with instead of the current ones */
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

/** The webhook body, in the published order of members. */
function bodyOf({ orderId, merchantTransactionId }: WebhookDelivery, token: string): WebhookBody {
  return { id: token, orderId, ...(merchantTransactionId === null ? {} : { merchantTransactionId }) }
}

function attemptOf(number: number, startedAt: number, tookMs: number, outcome: WebhookSendOutcome): Attempt {
  return outcome.outcome === 'answered'
    ? { number, startedAt, tookMs, status: outcome.status, reason: '' }
    : { number, startedAt, tookMs, status: null, reason: outcome.reason }
}
