// src/engine/ports/delivery-overrides.ts — the port that lets something else than usual happen to webhook deliveries.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Attached, WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts'
import type { WebhookSendOutcome } from './webhook-sender.ts'

/** Chosen when a message is announced. Its name is kept with the delivery, which it accompanies to the end. */
export interface DeliveryOverrides {
  /** Names what is to happen to a message that is being announced; null: nothing unusual. Asked once a message. */
  take(account: MerchantAccountId): string | null
  of(name: string): DeliveryOverride
}

export interface DeliveryOverride {
  /** How long the message is kept back before its first try; 0: not at all. */
  readonly heldMs: number
  /** Whether other messages about the same payment may pass it meanwhile. */
  readonly letsOthersPass: boolean
  /** Makes the try of this number. `post` signs and posts, with the secrets in force unless others are given. */
  attempt(
    number: number,
    post: (secrets?: readonly string[]) => Promise<WebhookSendOutcome>,
  ): Promise<WebhookSendOutcome>
}

export const USUAL: DeliveryOverride = { heldMs: 0, letsOthersPass: false, attempt: (_, post) => post() }

/** The name in the form in which it is kept with a delivery: as databases and the interface have it. */
export function attachedName(name: string | null): Attached {
  return { drill: name }
}

/** The name that is kept with a delivery; null: none. */
export function overrideNameOf(delivery: WebhookDelivery): string | null {
  return 'drill' in delivery && typeof delivery.drill === 'string' ? delivery.drill : null
}

/** What goes by this name. @param overrides null where nothing unusual happens, whatever its name */
export function overrideOf(overrides: DeliveryOverrides | null, name: string | null): DeliveryOverride {
  return name === null ? USUAL : (overrides?.of(name) ?? USUAL)
}
