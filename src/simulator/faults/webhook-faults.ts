// src/simulator/faults/webhook-faults.ts — faults of the next webhooks of an account, one per webhook.
import { type DeliveryOverride, type DeliveryOverrides, USUAL } from '../../engine/ports/delivery-overrides.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { WebhookSendOutcome } from '../../engine/ports/webhook-sender.ts'
import { freshSecret } from '../../services/webhooks/webhook-signature.ts'
import type { SimulatedMemory } from '../memory/memory.ts'

/** Names as in the API. They are stored with the deliveries they applied to. */
export const WEBHOOK_FAULTS = ['twice', 'late', 'shuffled', 'badly_signed'] as const
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]

/** Upper bound of armed faults per account. */
const MOST_ARMED = 100

export interface WebhookFaults {
  /** Armed faults, next one first. */
  armed(account: string): readonly WebhookFault[]
  /** False when too many are armed. */
  arm(account: string, fault: WebhookFault, times: number): boolean
  disarm(account: string): void
}

/** Keeps the armed faults in the simulator's memory, by account. `overrides` plugs into the gateway. */
export function createWebhookFaults(
  random: Random,
  memory: SimulatedMemory,
): WebhookFaults & { readonly overrides: DeliveryOverrides } {
  const keyOf = (account: string) => `${account}/webhooks`
  const armed = (account: string): readonly WebhookFault[] => {
    const body = memory.read('fault', keyOf(account))
    // Another version may have armed a fault that this one does not know.
    return body === null ? [] : (JSON.parse(body) as readonly string[]).filter(isFault)
  }
  const store = (account: string, faults: readonly WebhookFault[]): void =>
    faults.length === 0
      ? memory.erase('fault', keyOf(account))
      : memory.write([{ collection: 'fault', key: keyOf(account), parent: account, body: JSON.stringify(faults) }])
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
      store(account, [...waiting, ...Array.from({ length: times }, () => fault)])
      return true
    },
    disarm: account => store(account, []),
    overrides: {
      take(account) {
        const [next = null, ...others] = armed(account)
        if (next !== null) store(account, others)
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
