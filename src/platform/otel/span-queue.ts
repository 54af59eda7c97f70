// src/platform/otel/span-queue.ts — queues ended spans and sends them in batches; drops what does not fit. ADR 68.
// The library's batch processor counts no drops and uses timers that a stop cannot end.
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Sent } from './otlp-sender.ts'

export interface SpanQueueOptions {
  readonly clock: Clock
  /** Spans that wait at most. */
  readonly size: number
  /** Spans in one batch at most. */
  readonly batchSize: number
  /** How long a span waits for others of its batch, in milliseconds. */
  readonly delayMs: number
  /** Sends a batch. Never rejects. */
  send(spans: ReadableSpan[]): Promise<Sent>
  /** Counts spans that were sent, and spans that are lost with the reason. */
  onSent(count: number): void
  onDropped(count: number, reason: DropReason): void
}

/** `queue_full`: too many at once, or the receiver is slow. `refused`: by the receiver. `stopped`: not sent before the stop. */
export type DropReason = 'queue_full' | 'refused' | 'stopped'

export interface SpanQueue extends SpanProcessor {
  /** Sends all that waits. Resolves when it is sent, or lost. */
  forceFlush(): Promise<void>
  /** Gives up what waits and takes nothing more. */
  stop(): void
}

/** Creates the queue. A span costs the request that ends it one array element. */
export function createSpanQueue(options: SpanQueueOptions): SpanQueue {
  const { clock, size, batchSize, delayMs } = options
  let waiting: ReadableSpan[] = []
  let sending: Promise<void> | null = null
  let alarm: Alarm | null = null
  let stopped = false
  /** The receiver was away at the last attempt. */
  let isAway = false

  function wake(): void {
    if (sending !== null || waiting.length === 0 || stopped) return
    // Not inside the request that ends the span: serialising a batch takes a while.
    alarm ??= clock.alarm(clock.now() + (waiting.length >= batchSize && !isAway ? 0 : delayMs), () => {
      alarm = null
      void sendBatch()
    })
  }

  function hurry(): void {
    if (!isAway) {
      alarm?.cancel()
      alarm = null
    }
    wake()
  }

  function sendBatch(): Promise<void> {
    sending ??= sendOne().finally(() => {
      sending = null
      wake()
    })
    return sending
  }

  async function sendOne(): Promise<void> {
    const batch = waiting.slice(0, batchSize)
    waiting = waiting.slice(batchSize)
    const sent = await options.send(batch)
    isAway = sent === 'retry'
    if (sent === 'accepted') options.onSent(batch.length)
    else if (sent === 'refused' || stopped) options.onDropped(batch.length, stopped ? 'stopped' : 'refused')
    else putBack(batch)
  }

  /** The oldest spans are lost first when a receiver is away for long. */
  function putBack(batch: readonly ReadableSpan[]): void {
    const all = [...batch, ...waiting]
    const lost = Math.max(0, all.length - size)
    waiting = all.slice(lost)
    if (lost > 0) options.onDropped(lost, 'queue_full')
  }

  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & 1) === 0) return
      if (stopped || waiting.length >= size) return options.onDropped(1, stopped ? 'stopped' : 'queue_full')
      waiting.push(span)
      if (waiting.length === batchSize) hurry()
      else wake()
    },
    async forceFlush() {
      alarm?.cancel()
      alarm = null
      // One more round than there are batches: a batch that has to be retried is tried once more.
      for (let round = Math.ceil(waiting.length / batchSize) + 1; round > 0; round -= 1) {
        if (sending === null && waiting.length === 0) break
        await sendBatch()
      }
    },
    stop() {
      stopped = true
      alarm?.cancel()
      if (waiting.length > 0) options.onDropped(waiting.length, 'stopped')
      waiting = []
    },
    async shutdown() {},
  }
}
