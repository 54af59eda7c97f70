// src/services/tables/pos-connections-of-nodes.ts — finds the connection of an account's till on whatever node it is. ADR 70.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { Random } from '../../engine/ports/random.ts'
import { repeatCall } from '../repeated-call.ts'
import {
  type ConnectionListeners,
  type FoundConnection,
  NO_ANSWER,
  type PosConnection,
  type PosConnections,
  type RequestingTerminal,
  TILL_CALL_MS,
  type TillAnswer,
} from './pos-connections.ts'
import { createLockCalls, type LockCalls } from './pos-lock-calls.ts'

/** Time for a node to say whether it has a till, in milliseconds. It looks into its memory, and a waiter waits. */
const FIND_MS = 1_000
/** Time for a node to drop an older connection and to end what it is sending on it, in milliseconds. */
const REPLACE_MS = 2_000

export interface PosConnectionsParts {
  readonly link: NodeLink
  /** That of the nodes, by which the later of two connections counts. */
  readonly clock: Clock
  readonly random: Random
}

/** A connection to this node. */
interface Own {
  readonly connection: PosConnection
  /** When it was made, epoch milliseconds. */
  readonly since: number
  /** Resolves when the other nodes have dropped an older connection, or have had the time to. */
  readonly announced: Promise<unknown>
}

/** What a node says of a connection that it has. */
interface Description {
  readonly since: number
  readonly wantsFinalBill: boolean
}

interface Asked {
  readonly account: MerchantAccountId
  readonly who: RequestingTerminal
  readonly table: string
  readonly which: 'before' | 'final'
  readonly message: TillMessage
}

const DONE = Promise.resolve()

/** Keeps the connections to this node in memory, because they end with the process, and asks the other nodes for theirs. */
export function createPosConnections(parts: PosConnectionsParts): PosConnections {
  const { link, clock } = parts
  const own = new Map<MerchantAccountId, Own>()
  let listeners: ConnectionListeners = { connected() {}, replaced: async () => {} }
  let last = Number.NEGATIVE_INFINITY
  const of = (account: MerchantAccountId) => own.get(account)?.connection ?? null
  const locks = createLockCalls({ ...parts, of })
  answerOthers(link, of)

  link.handle('pos.find', async (body): Promise<Description | null> => {
    const found = own.get((body as Asked).account)
    return found === undefined ? null : { since: found.since, wantsFinalBill: found.connection.wantsFinalBill }
  })
  link.handle('pos.connected', async body => {
    const { account, since } = body as Asked & Description
    const known = own.get(account)
    if (known !== undefined && known.since < since) own.delete(account)
    await listeners.replaced(account)
  })

  /** Tells all other nodes of a new connection. Resolves when each was told, or has not answered the first time. */
  function announce(account: MerchantAccountId, since: number): Promise<unknown> {
    const body = { account, since }
    return Promise.all(
      link.others.map(async node => {
        const told = await link.call(node, 'pos.connected', body, REPLACE_MS)
        if (told.outcome !== 'answered') void repeatCall(parts, node, 'pos.connected', body, REPLACE_MS)
      }),
    )
  }

  async function findElsewhere(account: MerchantAccountId): Promise<FoundConnection> {
    const asked = link.others.map(async node => {
      const called = await link.call(node, 'pos.find', { account }, FIND_MS)
      return { node, found: called.outcome === 'answered' ? (called.body as Description | null) : undefined }
    })
    const all = await Promise.all(asked)
    const latest = all
      .flatMap(({ node, found }) => (found === null || found === undefined ? [] : { node, ...found }))
      .toSorted((one, other) => other.since - one.since)[0]
    if (latest === undefined) return { connection: null, sure: all.every(({ found }) => found === null) }
    return { connection: connectionTo({ link, locks, account, ...latest }), node: latest.node }
  }

  return {
    of,
    async find(account) {
      const connection = of(account)
      if (connection !== null) return { connection, node: null }
      return link.others.length === 0 ? { connection: null, sure: true } : findElsewhere(account)
    },
    announced: account => own.get(account)?.announced ?? DONE,
    connect(account, connection) {
      const since = Math.max(clock.now(), last + 1)
      last = since
      const entry: Own = { connection, since, announced: announce(account, since) }
      own.set(account, entry)
      listeners.connected(account)
    },
    disconnect(account, connection) {
      if (of(account) === connection) own.delete(account)
    },
    attach(given) {
      listeners = given
    },
  }
}

/** Registers what other nodes ask of the tills that are connected to this one. */
function answerOthers(link: NodeLink, of: (account: MerchantAccountId) => PosConnection | null): void {
  const answer = (name: string, ask: (connection: PosConnection, asked: Asked) => unknown, otherwise: unknown) =>
    link.handle(name, async body => {
      const asked = body as Asked
      const connection = of(asked.account)
      return connection === null ? otherwise : ask(connection, asked)
    })
  answer('pos.tables', (connection, { who }) => connection.tables(who), NO_ANSWER)
  answer('pos.bill', (connection, { who, table, which }) => connection.bill(who, table, which), NO_ANSWER)
  answer('pos.notify', (connection, { message }) => connection.notify(message), false)
}

interface ConnectionElsewhere {
  readonly link: NodeLink
  readonly locks: LockCalls
  readonly account: MerchantAccountId
  readonly node: string
  readonly wantsFinalBill: boolean
}

/** A connection to another node. When that node does not answer, the till does not either. */
function connectionTo({ link, locks, account, node, wantsFinalBill }: ConnectionElsewhere): PosConnection {
  const ask = async <Value>(name: string, asked: Partial<Asked>): Promise<TillAnswer<Value>> => {
    const called = await link.call(node, name, { account, ...asked }, TILL_CALL_MS)
    return called.outcome === 'answered' ? (called.body as TillAnswer<Value>) : NO_ANSWER
  }
  return {
    wantsFinalBill,
    tables: who => ask('pos.tables', { who }),
    bill: (who, table, which) => ask('pos.bill', { who, table, which }),
    lock: (who, table, tooLate) => locks.request(node, account, { who, table }, tooLate),
    async notify(message) {
      const called = await link.call(node, 'pos.notify', { account, message }, TILL_CALL_MS)
      return called.outcome === 'answered' && called.body === true
    },
  }
}
