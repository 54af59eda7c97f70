// src/engine/online/webhook-machines.ts — deliveries and secrets of webhooks as the engine runs them.
import * as delivery from '../../domain/webhook-delivery.ts'
import * as secrets from '../../domain/webhook-secrets.ts'
import type { Machine } from '../machines.ts'

export const WEBHOOK_DELIVERY: Machine<
  delivery.WebhookDelivery,
  delivery.DeliveryCommand,
  delivery.DeliveryFacts | null,
  delivery.DeliveryEvent
> = {
  kind: 'webhook-delivery',
  changedOutside: false,
  decide: delivery.decide,
  apply: delivery.apply,
  effectsOf: delivery.effectsOf,
  timersOf: delivery.timersOf,
  placeOf: record => ({ parent: record.subject, live: delivery.isOpen(record), exclusive: null }),
}

export const WEBHOOK_SECRETS: Machine<secrets.WebhookSecrets, secrets.SecretsCommand, null, secrets.SecretsEvent> = {
  kind: 'webhook-secrets',
  changedOutside: false,
  decide: secrets.decide,
  apply: secrets.apply,
  effectsOf: secrets.effectsOf,
  timersOf: secrets.timersOf,
  placeOf: () => ({ parent: '', live: true, exclusive: null }),
}
