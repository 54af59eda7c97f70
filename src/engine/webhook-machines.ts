// src/engine/webhook-machines.ts — the machines of webhook deliveries and secrets as the engine runs them.
import * as delivery from '../domain/webhooks/webhook-delivery.ts'
import * as secrets from '../domain/webhooks/webhook-secrets.ts'
import type { Machine } from './machines.ts'
import { type DeliveryOverrides, overrideNameOf, overrideOf } from './ports/delivery-overrides.ts'
import { deliveryTerms } from './search-terms.ts'

export type DeliveryMachine = Machine<
  delivery.WebhookDelivery,
  delivery.DeliveryCommand,
  delivery.DeliveryFacts | null,
  delivery.DeliveryEvent
>

/** Deliveries without overrides. */
export const WEBHOOK_DELIVERY: DeliveryMachine = {
  kind: 'webhook-delivery',
  changedOutside: false,
  decide: delivery.decide,
  apply: delivery.apply,
  effectsOf: delivery.effectsOf,
  timersOf: record => delivery.timersOf(record, 0),
  indexColumnsOf: record => ({ parent: record.subject, live: delivery.isOpen(record), lockKey: null }),
  searchTermsOf: deliveryTerms,
}

/** Deliveries with overrides, which may delay the first attempt. */
export function deliveriesUnder(overrides: DeliveryOverrides | null): DeliveryMachine {
  return {
    ...WEBHOOK_DELIVERY,
    timersOf: record => delivery.timersOf(record, overrideOf(overrides, overrideNameOf(record)).heldMs),
  }
}

export const WEBHOOK_SECRETS: Machine<secrets.WebhookSecrets, secrets.SecretsCommand, null, secrets.SecretsEvent> = {
  kind: 'webhook-secrets',
  changedOutside: false,
  decide: secrets.decide,
  apply: secrets.apply,
  effectsOf: secrets.effectsOf,
  timersOf: secrets.timersOf,
  indexColumnsOf: () => ({ parent: '', live: true, lockKey: null }),
}
