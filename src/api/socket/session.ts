// src/api/socket/session.ts — the connection of one till, from its first message to its end. What a connection needs is in one
// object and the few that it holds: there are thousands, and to collect them from all over memory costs more than they do.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Alarm } from '../../engine/ports/clock.ts'
import type { Authenticator, Identified } from '../auth.ts'
import type { ApiParts } from '../parts.ts'
import { TokenBucket } from '../rate-limiter.ts'
import type { VersionSchemas } from '../versions/socket-schemas.ts'
import type { SocketVersion } from '../versions/socket-versions.ts'
import { DISCONTINUED, INTERNAL_ERROR, RPC_ERRORS } from './codes.ts'
import type { Dispatcher, Methods, Request, Served } from './dispatcher.ts'
import { type Envelope, readEnvelope, textIn } from './envelope.ts'
import { KeepAlive } from './keep-alive.ts'
import type { Departures } from './message-batches.ts'
import type { Caller, Line } from './method.ts'
import { Outbox } from './outbox.ts'
import { createPendingSignatures, type PendingSignatures } from './pending-signatures.ts'
import { createTableLine, type TableLine } from './pos-connection.ts'
import { errorReply, refusalReply } from './replies.ts'
import { Turns } from './request-queue.ts'
import type { RpcLimits } from './socket-limits.ts'
import type { TillArea } from './till-address.ts'

const SECOND_MS = 1_000
/** Why we close. 1013 is "try again later". */
const CLOSE = { done: 1000, away: 1001, policy: 1008, slow: 1013 } as const

/** A till that was let in. */
export interface AdmittedTill {
  readonly account: MerchantAccount
  readonly keyHash: string
  readonly partner: Partner
  readonly apiVersion: SocketVersion
  readonly area: TillArea
  /** Only of a till that keeps its tables itself. */
  readonly wantsFinalReceipt: boolean
}

export interface SessionParts {
  readonly api: ApiParts
  readonly authenticator: Authenticator
  readonly dispatcher: Dispatcher
  /** Serves the tills that keep their tables themselves. */
  readonly atTables: Dispatcher
  readonly limits: RpcLimits
  readonly departures: Departures
}

/** An open connection. */
export interface Connection {
  readonly socket: WebSocket
  /** What the socket writes to. */
  readonly wire: Duplex
  /** Called when it has closed. */
  readonly over: () => void
}

export interface Session {
  /** Tells the till that the gateway goes away. What is under way goes on without it. */
  leave(): void
  /** Tells the till that another one has come in its place. */
  discontinue(): void
}

/** Serves a till on an open connection. */
export function openSession(parts: SessionParts, connection: Connection, till: AdmittedTill): Session {
  return new TillSession(parts, connection, till)
}

class TillSession implements Session {
  readonly #parts: SessionParts
  readonly #socket: WebSocket
  // The rest of the account is looked up anew with every request, and not kept for connections that are silent.
  readonly #account: string
  readonly #keyHash: string
  readonly #partner: Partner
  readonly #methods: Methods
  readonly #outbox: Outbox
  readonly #turns: Turns
  readonly #messageRate: TokenBucket
  readonly #keepAlive: KeepAlive
  readonly #tables: TableLine | null
  /** Who asks: the same one as long as the account stays as it is, or until he says nothing for a while. */
  #caller: Caller | null = null
  #questions: PendingSignatures | null = null
  /** Those who want to hear that the till has gone. */
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
    this.#methods = (area === 'pat' ? parts.atTables : parts.dispatcher).methods(apiVersion)
    this.#outbox = new Outbox(parts, socket, wire, this)
    this.#turns = new Turns(this.#outbox, limits.openRequests, this)
    const rate = { limit: limits.messagesPerSecond, windowMs: SECOND_MS }
    this.#messageRate = new TokenBucket(rate, clock.now())
    this.#keepAlive = new KeepAlive({ clock, limits }, this)
    this.#tables = area === 'pat' ? this.#openTables(till.wantsFinalReceipt) : null
    // Whole buffers, as the library gives them unless told otherwise.
    socket.on('message', data => this.#hear(data as Buffer))
    socket.on('ping', () => this.#hearPing())
    socket.on('pong', () => this.#keepAlive.heard(clock.now()))
    socket.on('error', passOver)
    socket.once('close', () => {
      this.#end()
      over()
    })
    // What waits for a till goes to this one, when everything above is in its place.
    if (this.#tables !== null) parts.api.posConnections.connect(this.#account, this.#tables.line)
  }

  leave(): void {
    this.#close(CLOSE.away, 'The gateway is being stopped')
  }

  discontinue(): void {
    this.#closeTables()
    this.#outbox.send(errorReply(DISCONTINUED, null))
    this.#close(CLOSE.done, RPC_ERRORS[DISCONTINUED])
  }

  #hear(bytes: Buffer): void {
    if (!this.#mayHear()) return
    const envelope = readEnvelope(textIn(bytes))
    switch (envelope.kind) {
      case 'fault':
        this.#outbox.send(errorReply(envelope.code, envelope.id))
        break
      case 'reply':
        this.#hearReply(envelope)
        break
      case 'request':
        if (!this.#turns.take(envelope)) this.#refuse(envelope.id, { code: 'gateway_busy' })
    }
  }

  /** The library answers it; a till that reads no answer is cut off all the same. */
  #hearPing(): void {
    if (this.#mayHear()) this.#outbox.lookAtReading()
  }

  /** Whether a frame may be looked at. */
  #mayHear(): boolean {
    const now = this.#parts.api.clock.now()
    this.#keepAlive.heard(now)
    if (!this.#outbox.isOpen) return false
    if (this.#messageRate.take(now)) return true
    this.#close(CLOSE.policy, 'Too many messages')
    return false
  }

  /**
   * What is decided is obeyed, also when the key was revoked since it was asked: a signature that a cashier has refused must
   * not count as accepted because nobody listened.
   */
  #hearReply(reply: ReplyEnvelope): void {
    const wrong = this.#tables === null ? this.#wrongIn(reply) : this.#tables.reply(reply)
    if (wrong !== null) this.#refuse(reply.id, { code: 'field_invalid', field: wrong.field })
    void this.#lookAtKey()
  }

  #wrongIn(reply: ReplyEnvelope): { readonly field: string } | null {
    return this.#questions === null || this.#questions.reply(reply) ? null : { field: 'accepted' }
  }

  #refuse(id: number, refusal: Refusal): void {
    this.#outbox.send(refusalReply(refusal, id, this.#methods.schemas.terminalMember))
  }

  /** For its turns. */
  async serve(request: Request): Promise<Served> {
    const holder = await this.#parts.authenticator.identifyHash(this.#keyHash)
    // What a till has asked that has gone since, nobody waits for: it is not begun.
    return this.#isStillKnown(holder) && this.#outbox.isOpen
      ? this.#methods.serve(this.#callerOf(holder), request)
      : ABANDONED
  }

  failed({ id }: Request, error: unknown): Served {
    this.#parts.api.log.error({ account: this.#account, error }, 'request failed')
    return { now: errorReply(INTERNAL_ERROR, id), later: null }
  }

  /** A key that was revoked opens nothing any more, also where it has opened something before. */
  #isStillKnown(holder: Identified): holder is MerchantAccount {
    if (!('refused' in holder)) return true
    this.#close(CLOSE.policy, 'Authorisation was refused')
    return false
  }

  #callerOf(account: MerchantAccount): Caller {
    if (this.#caller?.account === account) return this.#caller
    this.#questions ??= createPendingSignatures()
    const line = lineTo(this.#outbox, this.#questions, this.#methods.schemas)
    const whenGone: Caller['whenGone'] = listener => this.#addListener(listener)
    const cut = () => this.#socket.terminate()
    this.#caller = { api: this.#parts.api, account, partner: this.#partner, line, whenGone, cut }
    return this.#caller
  }

  /** Whoever comes too late hears at once that the till has gone. */
  #addListener(listener: () => void): () => void {
    this.#whenGone ??= new Set()
    if (this.#socket.readyState === this.#socket.CLOSED) listener()
    else this.#whenGone.add(listener)
    return () => void this.#whenGone?.delete(listener)
  }

  /** For its keep-alive: a sign of life is asked for, and the key is looked at again. */
  ask(): void {
    this.#socket.ping()
    this.#caller = null
    void this.#lookAtKey()
  }

  async #lookAtKey(): Promise<void> {
    try {
      this.#isStillKnown(await this.#parts.authenticator.identifyHash(this.#keyHash))
    } catch (error) {
      this.#parts.api.log.warn({ error: String(error) }, 'a key could not be looked up')
    }
  }

  silent(): void {
    this.#close(CLOSE.away, 'No sign of life')
  }

  /** For its outbox. */
  tooSlow(): void {
    this.#close(CLOSE.slow, 'Messages are not being read')
  }

  /** A till that does not take leave is cut off. */
  #close(code: number, reason: string): void {
    const { api, limits } = this.#parts
    this.#outbox.leave()
    if (this.#outbox.isOpen) api.log.info({ account: this.#account, code, reason }, 'connection of a till is closed')
    this.#socket.close(code, reason)
    this.#leaving ??= api.clock.alarm(api.clock.now() + limits.leaveMs, () => this.#socket.terminate())
  }

  #end(): void {
    this.#keepAlive.stop()
    this.#leaving?.cancel()
    this.#closeTables()
    for (const listener of [...(this.#whenGone ?? [])]) listener()
  }

  /** Opens the line over which a till that keeps its tables is asked. */
  #openTables(wantsFinalReceipt: boolean): TableLine {
    const clock = this.#parts.api.clocks.of(this.#account)
    const send = (message: object) => this.#outbox.sendAtOnce(message)
    return createTableLine(clock, this.#methods.schemas.tables, send, wantsFinalReceipt)
  }

  /** What is open then counts as not answered. Terminal socket reference 10.4. */
  #closeTables(): void {
    if (this.#tables === null) return
    this.#parts.api.posConnections.disconnect(this.#account, this.#tables.line)
    this.#tables.end()
  }
}

/** A broken frame: the library closes, and says why to the other side. */
function passOver(): void {}

/** Nobody waits for an answer any more. */
const ABANDONED: Served = { now: null, later: null }

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

/** The way to the till, in the words of its version. */
function lineTo(
  outbox: Outbox,
  questions: PendingSignatures,
  { notification, signatureQuestion }: VersionSchemas,
): Line {
  return {
    notify(params) {
      const downgraded = notification.downgrade(params)
      if (downgraded !== null) outbox.send({ jsonrpc: '2.0', method: notification.name, params: downgraded })
    },
    askForSignature(params, answered) {
      const question = questions.open(answered)
      const { name, downgrade } = signatureQuestion
      outbox.send({ jsonrpc: '2.0', id: question.id, method: name, params: downgrade(params) })
      return question
    },
  }
}
