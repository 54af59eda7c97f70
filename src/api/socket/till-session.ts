// src/api/socket/till-session.ts — serves the WebSocket connection of one till.
// A session is one object with few others, because there are thousands and scattered objects slow the garbage collector.

import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Alarm } from '../../engine/ports/clock.ts'
import { ANSWERS } from '../answers.ts'
import type { Authenticator, Identified } from '../auth.ts'
import type { KeyHolder } from '../keys/key-holder.ts'
import { refusalOfConnection } from '../keys/key-scope.ts'
import type { ServingParts } from '../parts.ts'
import { TokenBucket } from '../rate-limiter.ts'
import { type FieldFault, faultSaying, refusedFor } from '../read/field-fault.ts'
import type { VersionSchemas } from '../versions/socket-schemas.ts'
import type { SocketVersion } from '../versions/socket-versions.ts'
import type { Dispatcher, Methods, Request, Served } from './dispatcher.ts'
import { type Envelope, faultOf, readEnvelope, textIn } from './envelope.ts'
import { KeepAlive } from './keep-alive.ts'
import type { MessageBatches } from './message-batches.ts'
import type { Caller, TillConnection } from './method.ts'
import { Outbox } from './outbox.ts'
import { createPendingSignatures, type PendingSignatures } from './pending-signatures.ts'
import { createTableConnection, type TableConnection } from './pos-connection.ts'
import { errorReply, refusalReply } from './replies.ts'
import { RequestQueue } from './request-queue.ts'
import { DISCONTINUED, INTERNAL_ERROR, RPC_ERRORS, type RpcCode } from './rpc-codes.ts'
import type { RpcLimits } from './socket-limits.ts'
import type { TillArea } from './till-address.ts'

const SECOND_MS = 1_000
/** WebSocket close codes. 1013 is "try again later". */
const CLOSE = { done: 1000, away: 1001, policy: 1008, slow: 1013 } as const

const NOT_ACCEPTED = faultSaying('accepted', 'is missing or not a boolean', 'true or false')

/** A till whose handshake was accepted. */
export interface AdmittedTill {
  readonly account: MerchantAccount
  readonly keyHash: string
  readonly partner: Partner
  readonly apiVersion: SocketVersion
  readonly area: TillArea
  /** Whether to request the bill after payment; for POS table providers only. */
  readonly wantsFinalReceipt: boolean
  /** Its messages contain the ids of transactions. */
  readonly wantsIds: boolean
  /** Traceparent of the handshake's span; absent when tracing is off. */
  readonly openedBy?: string
}

export interface SessionParts {
  readonly api: ServingParts
  readonly authenticator: Authenticator
  readonly dispatcher: Dispatcher
  /** Dispatcher for POS table providers. */
  readonly atTables: Dispatcher
  readonly limits: RpcLimits
  readonly batches: MessageBatches
}

/** An open connection. */
export interface Connection {
  readonly socket: WebSocket
  /** The stream below the socket. */
  readonly wire: Duplex
  /** Called when the socket has closed. */
  readonly over: () => void
}

export interface Session {
  /** Closes the connection because the gateway stops. Transactions under way continue without the till. */
  leave(): void
  /** Called when account or key may have been revoked, or may do less than before. */
  lookAtKey(): void
  /** Closes the connection because a new one replaces it. */
  discontinue(): void
}

/** Serves a till on an open connection. */
export function openSession(parts: SessionParts, connection: Connection, till: AdmittedTill): Session {
  return new TillSession(parts, connection, till)
}

class TillSession implements Session {
  readonly #parts: SessionParts
  readonly #socket: WebSocket
  // Only the id: the account is looked up with every request and not held for silent connections.
  readonly #account: string
  readonly #keyHash: string
  readonly #partner: Partner
  readonly #wantsIds: boolean
  readonly #openedBy: string | null
  readonly #methods: Methods
  readonly #outbox: Outbox
  readonly #queue: RequestQueue
  readonly #messageRate: TokenBucket
  readonly #keepAlive: KeepAlive
  readonly #tables: TableConnection | null
  /** Caller of requests, reused until the account changes or the next ping. */
  #caller: Caller | null = null
  #signatures: PendingSignatures | null = null
  /** Called when the till has disconnected. */
  #whenGone: Set<() => void> | null = null
  #leaving: Alarm | null = null

  constructor(parts: SessionParts, { socket, wire, over }: Connection, till: AdmittedTill) {
    const { clock } = parts.api
    const { keyHash, partner, apiVersion, area } = till
    const { limits } = parts
    this.#parts = parts
    this.#socket = socket
    this.#account = till.account.id
    this.#keyHash = keyHash
    this.#partner = partner
    this.#wantsIds = till.wantsIds
    this.#openedBy = till.openedBy ?? null
    this.#methods = (area === 'pat' ? parts.atTables : parts.dispatcher).methods(apiVersion)
    this.#outbox = new Outbox(parts, socket, wire, this)
    this.#queue = new RequestQueue(this.#outbox, limits.openRequests, this)
    const rate = { limit: limits.messagesPerSecond, windowMs: SECOND_MS }
    this.#messageRate = new TokenBucket(rate, clock.now())
    this.#keepAlive = new KeepAlive({ clock, limits }, this)
    this.#tables = area === 'pat' ? this.#openTables(till.wantsFinalReceipt) : null
    // By default the library passes whole buffers.
    socket.on('message', data => this.#receive(data as Buffer))
    socket.on('ping', () => this.#receivePing())
    socket.on('pong', () => this.#keepAlive.received(clock.now()))
    socket.on('error', passOver)
    socket.once('close', () => {
      this.#end()
      over()
    })
    // Sends the messages queued for the till, so it comes after the set-up.
    if (this.#tables !== null) parts.api.posConnections.connect(this.#account, this.#tables.connection)
  }

  leave(): void {
    this.#close(CLOSE.away, 'The gateway is being stopped')
  }

  discontinue(): void {
    this.#closeTables()
    this.#outbox.send(errorReply(DISCONTINUED, null))
    this.#close(CLOSE.done, RPC_ERRORS[DISCONTINUED])
  }

  #receive(bytes: Buffer): void {
    if (!this.#mayReceive()) return
    const envelope = readEnvelope(textIn(bytes))
    switch (envelope.kind) {
      case 'fault':
        this.#record(envelope.id, envelope.code, faultOf(envelope.code))
        this.#outbox.send(errorReply(envelope.code, envelope.id))
        break
      case 'reply':
        this.#receiveReply(envelope)
        break
      case 'request':
        if (!this.#queue.take(envelope)) this.#refuse(envelope.id, { code: 'gateway_busy' })
    }
  }

  /** The library answers pings. A till that does not read the answers is disconnected too. */
  #receivePing(): void {
    if (this.#mayReceive()) this.#outbox.lookAtReading()
  }

  /** Whether a frame may be processed. Closes the connection when the message rate is exceeded. */
  #mayReceive(): boolean {
    const now = this.#parts.api.clock.now()
    this.#keepAlive.received(now)
    if (!this.#outbox.isOpen) return false
    if (this.#messageRate.take(now)) return true
    this.#close(CLOSE.policy, 'Too many messages')
    return false
  }

  #receiveReply(reply: ReplyEnvelope): void {
    const wrong = this.#tables === null ? this.#wrongIn(reply) : this.#tables.reply(reply)
    if (wrong !== null) this.#refuse(reply.id, refusedFor(wrong).refused)
    this.lookAtKey()
  }

  #wrongIn(reply: ReplyEnvelope): FieldFault | null {
    return this.#signatures === null || this.#signatures.reply(reply) ? null : NOT_ACCEPTED
  }

  #refuse(id: number, refusal: Refusal): void {
    this.#record(id, ANSWERS[refusal.code].rpcCode, refusal)
    this.#outbox.send(refusalReply(refusal, id, this.#methods.schemas.terminalMember))
  }

  /** Records a message that is refused before it reaches its method. */
  #record(rpcId: number | null, status: RpcCode, refused: Refusal): void {
    const { requests, clock } = this.#parts.api
    const from = { account: this.#account, requestId: null, connection: null }
    const call = { rpcId, apiVersion: null, method: null, params: null }
    requests.rpc({ ...from, ...call, startedAt: clock.now() })({ status, refused })
  }

  /** Called by the request queue. */
  async serve(request: Request): Promise<Served> {
    const holder = await this.#parts.authenticator.identifyHash(this.#keyHash)
    // A queued request of a till that has disconnected is not started.
    return this.#isStillKnown(holder) && this.#outbox.isOpen
      ? this.#methods.serve(this.#callerOf(holder), request)
      : ABANDONED
  }

  failed({ id }: Request, error: unknown): Served {
    this.#parts.api.log.error({ account: this.#account, error }, 'request failed')
    return { now: errorReply(INTERNAL_ERROR, id), later: null }
  }

  /** Whether the key is still valid here. Closes the connection when it was revoked, or its user may no longer use it. */
  #isStillKnown(holder: Identified): holder is KeyHolder {
    const area = this.#tables === null ? 'pac' : 'pat'
    if (!('refused' in holder) && refusalOfConnection(holder.key, area) === null) return true
    this.#close(CLOSE.policy, 'Authorisation was refused')
    return false
  }

  #callerOf({ account, key }: KeyHolder): Caller {
    if (this.#caller?.account === account && this.#caller.key === key) return this.#caller
    this.#signatures ??= createPendingSignatures()
    const connection = pushesTo(this.#outbox, this.#signatures, this.#methods.schemas)
    const whenGone: Caller['whenGone'] = listener => this.#addListener(listener)
    const cut = () => this.#socket.terminate()
    this.#caller = {
      api: this.#parts.api,
      account,
      key,
      partner: this.#partner,
      wantsIds: this.#wantsIds,
      openedBy: this.#openedBy,
      requestId: null,
      connection,
      whenGone,
      cut,
    }
    return this.#caller
  }

  /** Adds a listener for the disconnect. Calls it at once when the till has already disconnected. */
  #addListener(listener: () => void): () => void {
    this.#whenGone ??= new Set()
    if (this.#socket.readyState === this.#socket.CLOSED) listener()
    else this.#whenGone.add(listener)
    return () => void this.#whenGone?.delete(listener)
  }

  /** Called by the keep-alive. */
  ping(): void {
    this.#socket.ping()
    this.lookAtKey()
  }

  /**
   * Closes the connection when its key was revoked, but never while a signature request is open: a decision of the cashier
   * that is lost counts as accepted. Then the key is checked after the last decision, or at the ping after its time is over.
   */
  lookAtKey(): void {
    if (this.#signatures?.isOpen !== true) void this.#checkKey()
  }

  async #checkKey(): Promise<void> {
    this.#caller = null
    try {
      this.#isStillKnown(await this.#parts.authenticator.identifyHash(this.#keyHash))
    } catch (error) {
      this.#parts.api.log.warn({ error: String(error) }, 'API key lookup failed')
    }
  }

  silent(): void {
    this.#close(CLOSE.away, 'No sign of life')
  }

  /** Called by the outbox. */
  tooSlow(): void {
    this.#close(CLOSE.slow, 'Messages are not being read')
  }

  /** Starts the closing handshake. A till that does not complete it within `leaveMs` is disconnected. */
  #close(code: number, reason: string): void {
    const { api, limits } = this.#parts
    this.#outbox.leave()
    if (this.#outbox.isOpen) api.log.info({ account: this.#account, code, reason }, 'till connection closed')
    this.#socket.close(code, reason)
    this.#leaving ??= api.clock.alarm(api.clock.now() + limits.leaveMs, () => this.#socket.terminate())
  }

  #end(): void {
    this.#keepAlive.stop()
    this.#leaving?.cancel()
    this.#closeTables()
    for (const listener of [...(this.#whenGone ?? [])]) listener()
  }

  /** Creates the connection to a POS table provider. */
  #openTables(wantsFinalReceipt: boolean): TableConnection {
    const clock = this.#parts.api.clocks.of(this.#account)
    const send = (message: object) => this.#outbox.sendAtOnce(message)
    return createTableConnection(clock, this.#methods.schemas.tables, send, wantsFinalReceipt)
  }

  /** Disconnects a POS table provider. Its open requests end without an answer. */
  #closeTables(): void {
    if (this.#tables === null) return
    this.#parts.api.posConnections.disconnect(this.#account, this.#tables.connection)
    this.#tables.end()
  }
}

/** Ignores errors: the library closes the connection with the reason. */
function passOver(): void {}

/** Outcome of a request whose till has disconnected. */
const ABANDONED: Served = { now: null, later: null }

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

/** Sends pushed messages to the till in its version. */
function pushesTo(
  outbox: Outbox,
  signatures: PendingSignatures,
  { notification, signatureRequest }: VersionSchemas,
): TillConnection {
  return {
    notify(params) {
      const downgraded = notification.downgrade(params)
      if (downgraded !== null) outbox.send({ jsonrpc: '2.0', method: notification.name, params: downgraded })
    },
    askForSignature(params, answered) {
      const request = signatures.open(answered)
      const { name, downgrade } = signatureRequest
      outbox.send({ jsonrpc: '2.0', id: request.id, method: name, params: downgrade(params) })
      return request
    },
  }
}
