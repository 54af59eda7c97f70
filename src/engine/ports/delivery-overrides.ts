// src/engine/ports/delivery-overrides.ts — port: overrides webhook deliveries, for fault injection in sandboxes.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Attached, WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts'
import type { WebhookSendOutcome } from './webhook-sender.ts'

/** An override is chosen when a delivery is created. Its name is stored with the delivery and applies to all attempts. */
export interface DeliveryOverrides {
  /** Chooses the override of a new delivery; null for none. Called once per delivery. */
  take(account: MerchantAccountId): string | null
  of(name: string): DeliveryOverride
}

export interface DeliveryOverride {
  /** Delay before the first attempt, in milliseconds; 0 for none. */
  readonly heldMs: number
  /** Whether other webhooks of the same payment may overtake it meanwhile. */
  readonly letsOthersPass: boolean
  /** Makes the attempt of this number. `post` signs and posts; its secrets default to the current ones. */
  attempt(
    number: number,
    post: (secrets?: readonly string[]) => Promise<WebhookSendOutcome>,
  ): Promise<WebhookSendOutcome>
}

export const USUAL: DeliveryOverride = { heldMs: 0, letsOthersPass: false, attempt: (_, post) => post() }

/** The stored form of an override's name. Databases and the API call the member `drill`. */
export function attachedName(name: string | null): Attached {
  return { drill: name }
}

/** The stored name of a delivery's override; null for none. */
export function overrideNameOf(delivery: WebhookDelivery): string | null {
  return 'drill' in delivery && typeof delivery.drill === 'string' ? delivery.drill : null
}

/** Finds an override by its name. @param overrides null when overrides are off: every name gives `USUAL` */
export function overrideOf(overrides: DeliveryOverrides | null, name: string | null): DeliveryOverride {
  return name === null ? USUAL : (overrides?.of(name) ?? USUAL)
}
