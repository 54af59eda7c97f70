// test/support/webhook-outbox.ts — engine, effects and timers for tests of webhooks, with a record that sends one per event.
import { onTestFinished } from 'vitest'
import { type WebhookOrder, webhookEffect } from '../../src/domain/webhooks/webhook.ts'
import { createRecordCache } from '../../src/engine/cache.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import { createEffects } from '../../src/engine/effects.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { createFeed } from '../../src/engine/feed.ts'
import type { Machine } from '../../src/engine/machines.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { Vault } from '../../src/engine/ports/vault.ts'
import type { WebhookSender, WebhookSendOutcome } from '../../src/engine/ports/webhook-sender.ts'
import { createTimers } from '../../src/engine/timers.ts'
import { WEBHOOK_DELIVERY } from '../../src/engine/webhook-machines.ts'
import { createSecretKeeper } from '../../src/services/webhooks/webhook-secret-keeper.ts'
import { createWebhooks } from '../../src/services/webhooks/webhooks.ts'
import { createWebhookFaults } from '../../src/simulator/faults/webhook-faults.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { createMemoryVault } from './memory-vault.ts'
import { SeededRandom } from './seeded-random.ts'
import { silentLog } from './silent-log.ts'
import { silentMeters } from './silent-meters.ts'
import { TestClock } from './test-clock.ts'

export type Message = Parameters<WebhookSender['post']>[0]

interface Thing {
  readonly version: number
  readonly id: string
}
type ThingEvent = { readonly type: 'told' } & Omit<WebhookOrder, 'subject'>

/** Stands for a payment: each event sends a webhook. */
const THING: Machine<Thing, ThingEvent & { readonly id: string }, null, ThingEvent & { readonly id: string }> = {
  kind: 'thing',
  changedOutside: false,
  decide: (_, command) => ({ events: [command] }),
  apply: (before, { event }) => ({ id: event.id, version: (before?.version ?? 0) + 1 }),
  effectsOf: ({ url, orderId, merchantTransactionId, token }, record) => [
    webhookEffect(record, { url, orderId, merchantTransactionId, token, subject: record.id }),
  ],
  timersOf: () => [],
  indexColumnsOf: () => ({ parent: '', live: false, lockKey: null }),
}

export interface OutboxOptions {
  readonly store?: Store
  readonly vault?: Vault
  readonly clock?: TestClock
  readonly random?: SeededRandom
  /** Default: every webhook is accepted. */
  readonly answer?: (message: Message, number: number) => WebhookSendOutcome | Promise<WebhookSendOutcome>
  /** Wraps the store of the performers. */
  readonly dying?: (store: Store) => Store
  /** Live mode, without webhook faults. */
  readonly live?: true
}

export const TAKEN: WebhookSendOutcome = { outcome: 'answered', status: 200 }
export const REFUSED: WebhookSendOutcome = { outcome: 'answered', status: 500 }

/** Opens an outbox. It resumes unfinished work of an earlier one on the same store. */
export async function openOutbox(options: OutboxOptions = {}) {
  const memory = options.store ?? openMemoryStore()
  const store = options.dying?.(memory) ?? memory
  const vault = options.vault ?? createMemoryVault()
  const random = options.random ?? new SeededRandom(7)
  const settle = async () => {
    for (let quiet = 0; quiet < 4; ) {
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = engine.busy === 0 && timers.firing === 0 ? quiet + 1 : 0
    }
  }
  const clock = options.clock ?? new TestClock(undefined, settle)
  const clocks = oneClock(clock)
  const engine = createEngine({
    store,
    clocks,
    feed: createFeed(),
    cache: createRecordCache(100),
  })
  const sent: { readonly at: number; readonly message: Message }[] = []
  const webhookSender: WebhookSender = {
    async post(message) {
      sent.push({ at: clock.now(), message })
      return options.answer?.(message, sent.length) ?? TAKEN
    },
  }
  const secrets = createSecretKeeper({ engine, vault, clocks, random })
  const faults = createWebhookFaults(random, createProcessMemory())
  const overrides = options.live ? null : faults.overrides
  const webhooks = createWebhooks({
    engine,
    store,
    vault,
    webhookSender,
    secrets,
    overrides,
    clock,
    clocks,
    log: silentLog,
  })
  const effects = createEffects({
    performers: webhooks.performers,
    store,
    clocks,
    log: silentLog,
    meters: silentMeters,
  })
  const timers = createTimers({ store, clocks, log: silentLog, fire: webhooks.fire })
  engine.attach({ effects: effects.enqueue, timers: timers.set, hurry: effects.hurry })
  effects.enqueue(await store.undoneEffects(1_000))
  await timers.start()
  const stop = async () => {
    await timers.stop()
    await effects.stop()
  }
  onTestFinished(stop)
  const announce = async (id: string, changes: Partial<WebhookOrder> = {}): Promise<void> => {
    const order = { url: 'https://shop.example/hook', orderId: 'A-1001', merchantTransactionId: null, ...changes }
    await engine.execute(
      THING,
      { account: 'demo', id },
      { token: { clear: `token-${id}` }, ...order, type: 'told', id },
    )
  }
  const deliveries = async () =>
    (await store.list('demo', { kind: WEBHOOK_DELIVERY.kind, limit: 1_000 }))
      .map(({ body }) => JSON.parse(body))
      .reverse()
  return { announce, clock, deliveries, engine, faults, sent, settle, stop, store: memory, vault, webhooks }
}
