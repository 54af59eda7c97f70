// src/simulator/faults/webhook-faults.ts — faults that the next webhooks of an account meet, one each.
import { type DeliveryOverride, type DeliveryOverrides, USUAL } from '../../engine/ports/delivery-overrides.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { WebhookSendOutcome } from '../../engine/ports/webhook-sender.ts'
import { freshSecret } from '../../services/webhooks/webhook-signature.ts'

/** The names are those of the interface, and lie in databases with the deliveries that met them. */
export const WEBHOOK_FAULTS = ['twice', 'late', 'shuffled', 'badly_signed'] as const
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]

/** Faults of one account that wait at once. */
const MOST_ARMED = 100

export interface WebhookFaults {
  /** Those that wait, the next one first. */
  armed(account: string): readonly WebhookFault[]
  /** False: too many wait already. */
  arm(account: string, fault: WebhookFault, times: number): boolean
  disarm(account: string): void
}

/**
 * Keeps what was armed, by account. In this process only: who arms one means the messages that come next. `overrides` is
 * plugged into the gateway.
 */
export function createWebhookFaults(random: Random): WebhookFaults & { readonly overrides: DeliveryOverrides } {
  const byAccount = new Map<string, readonly WebhookFault[]>()
  const armed = (account: string) => byAccount.get(account) ?? []
  const effects: Readonly<Record<WebhookFault, DeliveryOverride>> = {
    twice: { ...USUAL, attempt: (number, post) => (number === 1 ? twice(post) : post()) },
    late: { ...USUAL, heldMs: 60_000 },
    shuffled: { ...USUAL, heldMs: 30_000, letsOthersPass: true },
    badly_signed: { ...USUAL, attempt: (number, post) => (number === 1 ? post([freshSecret(random)]) : post()) },
  }
  return {
    armed,
    arm(account, fault, times) {
      const waiting = armed(account)
      if (waiting.length + times > MOST_ARMED) return false
      byAccount.set(account, [...waiting, ...Array.from({ length: times }, () => fault)])
      return true
    },
    disarm: account => void byAccount.delete(account),
    overrides: {
      take(account) {
        const [next = null, ...others] = armed(account)
        if (next !== null) byAccount.set(account, others)
        return next
      },
      of: name => (isFault(name) ? effects[name] : USUAL),
    },
  }
}

async function twice(post: () => Promise<WebhookSendOutcome>): Promise<WebhookSendOutcome> {
  const outcome = await post()
  await post()
  return outcome
}

function isFault(name: string): name is WebhookFault {
  return WEBHOOK_FAULTS.some(fault => fault === name)
}
