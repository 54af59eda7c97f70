// src/services/tables/pos-messages.ts — messages to tills that store their own tables: stored first, then sent in order when
// the till is connected. See docs/pay-at-table.md; ADR 16.

import type { MerchantAccountId, PosMessageId, TableId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { Engine } from '../../engine/engine.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import { TILL_MESSAGE } from '../../engine/machines.ts'
import { recordsOf } from '../../engine/pages.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store, StoredTimer } from '../../engine/ports/store.ts'
import type { PosConnections } from './pos-connections.ts'
import type { PosRecorder } from './pos-recorder.ts'

export interface TillMessages {
  /**
   * Stores a message and sends it as soon as a till is connected. Does nothing when the id was used before. Resolves when the
   * message is durable, and sent if a till is connected.
   */
  write(message: {
    readonly account: MerchantAccountId
    readonly messageId: PosMessageId
    readonly tableId: TableId
    readonly message: TillMessage
  }): Promise<void>
  /** Sends the waiting messages of an account's till, oldest first. */
  flush(account: MerchantAccountId): Promise<void>
  fire(timer: StoredTimer): Promise<boolean>
}

export interface TillMessagesParts {
  readonly engine: Engine
  readonly store: Store
  readonly posConnections: PosConnections
  readonly log: Log
  /** Records sent messages. */
  readonly posRecorder: PosRecorder
}

/** Binds the messages to their ports. */
export function createTillMessages({
  engine,
  store,
  posConnections,
  log,
  posRecorder,
}: TillMessagesParts): TillMessages {
  /** One flush per account at a time; two would send the same messages. */
  const flushes = createKeyedQueue()
  /** Messages that were sent and are not yet recorded as sent. */
  const sent = new Set<string>()

  function flush(account: MerchantAccountId): Promise<void> {
    const flushed = flushes.run(account, () => sendWaiting(account))
    flushed.catch(error => log.warn({ account, error: String(error) }, 'POS message delivery failed'))
    return flushed
  }

  async function sendWaiting(account: MerchantAccountId): Promise<void> {
    if (posConnections.of(account) === null) return
    for (const { messageId, tableId, message } of await recordsOf(store, account, TILL_MESSAGE, { live: true })) {
      if (!sent.has(messageId)) {
        if (posConnections.of(account)?.notify(message) !== true) return
        posRecorder.noteMessage(account, tableId, message)
      }
      sent.add(messageId)
      await engine.execute(TILL_MESSAGE, { account, id: messageId }, { type: 'was_sent' })
      sent.delete(messageId)
    }
  }

  return {
    async write({ account, messageId, ...given }) {
      const command = { type: 'write', messageId, merchantAccount: account, ...given } as const
      await engine.execute(TILL_MESSAGE, { account, id: messageId }, command)
      await flush(account)
    },
    flush,
    async fire({ account, id }) {
      const executed = await engine.execute(TILL_MESSAGE, { account, id }, { type: 'time_is_up' }, { timer: true })
      const expired = 'events' in executed && executed.events.length > 0
      if (expired) log.warn({ account, messageId: id }, 'POS message expired before delivery')
      return expired
    },
  }
}
