// test/upgrade/maker/webhooks.ts — webhooks with each outcome, and the secrets that sign them.
import type { Json } from './gateway.ts'
import type { WebShop } from './online.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

const MINUTE_MS = 60_000

/** Waits, by the machine's clock, for something outside the gateway. @throws Error when it does not happen. */
export async function eventually(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    if (await isSo()) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`${what} does not happen`)
}

/** The newest webhook delivery of an account. */
async function newestDelivery({ caller }: WebShop): Promise<Json> {
  const { json } = await caller.ask('GET', '/api/webhooks?limit=1')
  const [list] = Object.values(json).filter(Array.isArray) as (readonly Json[])[]
  return list?.[0] ?? {}
}

export async function playWebhooks(shop: WebShop, receiver: WebhookReceiver): Promise<void> {
  const { caller } = shop
  await caller.ask('GET', '/api/webhook-secret')
  await caller.ask('POST', '/api/webhook-secret/rotate', { overlapSeconds: 3_600 })
  const paidWith = async (path: string, drill: string | null, changes: Json = {}) => {
    if (drill !== null) await caller.ask('POST', '/sandbox/webhook-drills', { drill })
    const token = await shop.token({ webHookUrl: receiver.url + path, ...changes })
    await shop.pay(token)
    return token
  }
  await paidWith('/ok', null)
  await paidWith('/ok', 'twice')
  await paidWith('/ok', 'late')
  await paidWith('/ok', 'shuffled')
  await paidWith('/ok', 'badly_signed')
  await caller.advance(5 * MINUTE_MS)
  await paidWith('/second', null)
  await caller.advance(MINUTE_MS)
  // The webhook about the pause is not accepted at once, and the one about the end waits for it.
  const paused = await paidWith('/second/paused', null, { waitPreExecute: true })
  await shop.call('POST', `/v1/payments/${paused}/resume`)
  await caller.advance(5 * MINUTE_MS)
  // Abandoned after two hours; the old secret expires meanwhile.
  await paidWith('/broken', null)
  await caller.advance(150 * MINUTE_MS)
  const { deliveryId, id } = await newestDelivery(shop)
  await caller.ask('POST', `/api/webhooks/${deliveryId ?? id}/resend`)
  await caller.advance(MINUTE_MS)
}
