// src/services/tables/pos-messages.ts — messages to tills that store their own tables: stored first, then sent in order when
// the till is connected. See docs/pay-at-table.md; ADR 16.

import type { MerchantAccountId, PosMessageId, TableId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { Engine } from '../../engine/engine.ts'
import { Fault } from '../../engine/fault.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import { TILL_MESSAGE } from '../../engine/machines.ts'
import { recordsOf } from '../../engine/pages.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { Store, StoredTimer } from '../../engine/ports/store.ts'
import type { PosConnections } from './pos-connections.ts'
import type { PosRecorder } from './pos-recorder.ts'

export interface TillMessages {
  /**
   * Stores a message and sends it as soon as a till is connected. Does nothing when the id was used before. Resolves when the
   * message is durable, and sent if a till is connected.
   * @throws Fault `node_unreachable` when it is stored, and the node that may have the till's connection does not answer
   */
  write(message: {
    readonly account: MerchantAccountId
    readonly messageId: PosMessageId
    readonly tableId: TableId
    readonly message: TillMessage
  }): Promise<void>
  /**
   * Sends the waiting messages of an account's till, oldest first, by way of the node that has its connection.
   * @throws Fault `node_unreachable` when that node does not answer
   */
  flush(account: MerchantAccountId): Promise<void>
  /** Resolves when this node sends no messages of the account. */
  settled(account: MerchantAccountId): Promise<void>
  fire(timer: StoredTimer): Promise<boolean>
}

export interface TillMessagesParts {
  readonly engine: Engine
  readonly store: Store
  readonly posConnections: PosConnections
  readonly link: NodeLink
  readonly log: Log
  /** Records sent messages. */
  readonly posRecorder: PosRecorder
}

/** Time for another node to send all waiting messages, in milliseconds: a restaurant has a few at most. */
const FLUSH_MS = 10_000

/** Binds the messages to their ports. Only the node that has the till's connection sends, so that nothing is sent twice. */
export function createTillMessages({
  engine,
  store,
  posConnections,
  link,
  log,
  posRecorder,
}: TillMessagesParts): TillMessages {
  /** One flush per account at a time; two would send the same messages. */
  const flushes = createKeyedQueue()
  /** Messages that were sent and are not yet recorded as sent. */
  const sent = new Set<string>()

  async function flush(account: MerchantAccountId): Promise<void> {
    const found = await posConnections.find(account)
    if (found.connection === null) {
      if (!found.sure) throw unreachable(account)
    } else if (found.node === null) await flushHere(account)
    else if ((await link.call(found.node, 'pos.flush', { account }, FLUSH_MS)).outcome !== 'answered')
      throw unreachable(account)
  }

  link.handle('pos.flush', body => flushHere((body as { readonly account: MerchantAccountId }).account))

  function flushHere(account: MerchantAccountId): Promise<void> {
    const flushed = flushes.run(account, () => sendWaiting(account))
    flushed.catch(error => log.warn({ account, error: String(error) }, 'POS message delivery failed'))
    return flushed
  }

  async function sendWaiting(account: MerchantAccountId): Promise<void> {
    if (posConnections.of(account) === null) return
    await posConnections.announced(account)
    for (const { messageId, tableId, message } of await recordsOf(store, account, TILL_MESSAGE, { live: true })) {
      if (!sent.has(messageId)) {
        if ((await posConnections.of(account)?.notify(message)) !== true) return
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
    settled: account => flushes.run(account, async () => {}),
    async fire({ account, id }) {
      const executed = await engine.execute(TILL_MESSAGE, { account, id }, { type: 'time_is_up' }, { timer: true })
      const expired = 'events' in executed && executed.events.length > 0
      if (expired) log.warn({ account, messageId: id }, 'POS message expired before delivery')
      return expired
    },
  }
}

function unreachable(account: MerchantAccountId): Fault {
  return new Fault('node_unreachable', { detail: `The till of ${account}` })
}
