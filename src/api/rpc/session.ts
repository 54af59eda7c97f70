// src/api/rpc/session.ts — the connection of one till, from its first message to its end.
import type { WebSocket } from 'ws'
import type { MerchantAccount } from '../../domain/merchant-account.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Partner } from '../../domain/terminal-transaction-events.ts'
import type { Alarm } from '../../engine/ports.ts'
import { after, orElse, type Soon } from '../../engine/soon.ts'
import type { Authenticator } from '../auth.ts'
import type { ApiParts } from '../parts.ts'
import { DISCONTINUED, INTERNAL_ERROR, RPC_ERRORS } from './codes.ts'
import type { Departures } from './departures.ts'
import type { Dispatcher, Request, Served } from './dispatcher.ts'
import { type Envelope, readEnvelope, textIn } from './envelope.ts'
import { createKeepAlive } from './keep-alive.ts'
import type { RpcLimits } from './limits.ts'
import type { Caller, Line } from './method.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createQuestions, type Questions } from './questions.ts'
import { errorReply, refusalReply } from './replies.ts'
import { createTableLine, type TableLine } from './table-line.ts'
import { createTempo } from './tempo.ts'
import type { TillArea } from './till-address.ts'
import { createTurns } from './turns.ts'
import type { Forms } from './versions/forms.ts'
import type { RpcRung } from './versions/ladder.ts'

/** Why we close. 1013 is "try again later". */
const CLOSE = { done: 1000, away: 1001, policy: 1008, slow: 1013 } as const

/** A till that was let in. */
export interface AdmittedTill {
  readonly account: MerchantAccount
  readonly keyHash: string
  readonly partner: Partner
  readonly rung: RpcRung
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

export interface Session {
  /** Tells the till that the gateway goes away. What is under way goes on without it. */
  leave(): void
  /** Tells the till that another one has come in its place. */
  discontinue(): void
}

/** Serves a till on an open connection. `over` is called when it has closed. */
export function openSession(parts: SessionParts, socket: WebSocket, till: AdmittedTill, over: () => void): Session {
  const { api, authenticator, limits } = parts
  const dispatcher = till.area === 'pat' ? parts.atTables : parts.dispatcher
  const { clock, log } = api
  // The rest of the account is looked up anew with every request, and not kept for connections that are silent.
  const { keyHash, partner, rung } = till
  const account = till.account.id
  const forms = dispatcher.forms(rung)
  const outbox = createOutbox(socket, {
    departures: parts.departures,
    unreadBytes: limits.unreadBytes,
    tooSlow: () => close(CLOSE.slow, 'Messages are not being read'),
  })
  const keepAlive = createKeepAlive(clock, limits, ask, () => close(CLOSE.away, 'No sign of life'))
  const inTempo = createTempo(clock, limits.messagesPerSecond)
  const questions = createQuestions()
  const line = lineTo(outbox, questions, forms)
  const tables = till.area === 'pat' ? openTables(parts, till, outbox, forms) : null
  const whenClosed = new Set<() => void>()
  const takeInTurn = createTurns({ outbox, most: limits.openRequests, serve, failed })
  const callers = createCallers({ api, partner, line, whenGone: listenersOf(socket, whenClosed) })
  let leave: Alarm | null = null
  const isOpen = () => socket.readyState === socket.OPEN

  /** A till that does not take leave is cut off. */
  function close(code: number, reason: string): void {
    outbox.flush()
    if (isOpen()) log.info({ account, code, reason }, 'connection of a till is closed')
    socket.close(code, reason)
    leave ??= clock.alarm(clock.now() + limits.leaveMs, () => socket.terminate())
  }

  /** A key that was revoked opens nothing any more, also where it has opened something before. */
  function stillKnown(): Soon<MerchantAccount | null> {
    return after(authenticator.identifyHash(keyHash), found => {
      if (!('refused' in found)) return found
      close(CLOSE.policy, 'Authorisation was refused')
      return null
    })
  }

  function ask(): void {
    socket.ping()
    callers.forget()
    void orElse(stillKnown, error => {
      log.warn({ error: String(error) }, 'a key could not be looked up')
      return null
    })
  }

  /** What a till has asked that has gone since, nobody waits for: it is not begun. */
  function serve(request: Request): Soon<Served> {
    return after(stillKnown(), holder =>
      holder !== null && isOpen() ? dispatcher.serve(rung, callers.of(holder), request) : UNHEARD,
    )
  }

  function failed({ id }: Request, error: unknown): Served {
    log.error({ account, error }, 'request failed')
    return { now: errorReply(INTERNAL_ERROR, id), later: null }
  }

  function onMessage(bytes: Buffer): void {
    const envelope = readEnvelope(textIn(bytes))
    switch (envelope.kind) {
      case 'fault':
        outbox.send(errorReply(envelope.code, envelope.id))
        break
      case 'reply':
        onReply(envelope)
        break
      case 'request':
        if (!takeInTurn(envelope)) refuse(envelope.id, { code: 'gateway_busy' })
    }
  }

  function onReply(reply: ReplyEnvelope): void {
    const wrong = tables === null ? wrongIn(questions, reply) : tables.reply(reply)
    if (wrong !== null) refuse(reply.id, { code: 'field_invalid', field: wrong.field })
  }

  function refuse(id: number, refusal: Refusal): void {
    outbox.send(refusalReply(refusal, id, forms.terminalMember))
  }

  /** Whether a frame may be looked at. */
  function heard(): boolean {
    keepAlive.heard()
    if (!isOpen()) return false
    if (inTempo()) return true
    close(CLOSE.policy, 'Too many messages')
    return false
  }

  socket.on('message', data => {
    // Whole buffers, as the library gives them unless told otherwise.
    if (heard()) onMessage(data as Buffer)
  })
  socket.on('ping', heard)
  socket.on('pong', () => keepAlive.heard())
  // A broken frame: the library closes, and says why to the other side.
  socket.on('error', () => {})
  socket.once('close', () => {
    keepAlive.stop()
    leave?.cancel()
    if (tables !== null) closeTables(api, account, tables)
    for (const listener of [...whenClosed]) listener()
    over()
  })
  // What waits for a till goes to this one, when everything above is in its place.
  if (tables !== null) api.tillLines.connect(account, tables.line)
  return {
    leave: () => close(CLOSE.away, 'The gateway is being stopped'),
    discontinue() {
      if (tables !== null) closeTables(api, account, tables)
      outbox.send(errorReply(DISCONTINUED, null))
      close(CLOSE.done, RPC_ERRORS[DISCONTINUED])
    },
  }
}

/** Who asks on a connection: the same one as long as the account stays as it is, or until he says nothing for a while. */
function createCallers({ api, partner, line, whenGone }: Omit<Caller, 'account'>) {
  let known: Caller | null = null
  return {
    of(account: MerchantAccount): Caller {
      if (known?.account !== account) known = { api, account, partner, line, whenGone }
      return known
    },
    forget() {
      known = null
    },
  }
}

/** Takes those who want to hear that the till has gone; whoever comes later hears it at once. */
function listenersOf(socket: WebSocket, listeners: Set<() => void>): Caller['whenGone'] {
  return listener => {
    if (socket.readyState === socket.CLOSED) listener()
    else listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}

/** Nobody waits for an answer any more. */
const UNHEARD: Served = { now: null, later: null }

type ReplyEnvelope = Extract<Envelope, { kind: 'reply' }>

function wrongIn(questions: Questions, reply: ReplyEnvelope): { readonly field: string } | null {
  return questions.reply(reply) ? null : { field: 'accepted' }
}

/** Opens the line over which a till that keeps its tables is asked. */
function openTables({ api }: SessionParts, till: AdmittedTill, outbox: Outbox, forms: Forms): TableLine {
  const clock = api.clocks.of(till.account.id)
  return createTableLine(clock, forms.tables, outbox.sendNow, till.wantsFinalReceipt)
}

/** What is open then counts as not answered. Terminal socket reference 10.4. */
function closeTables(api: ApiParts, account: string, tables: TableLine): void {
  api.tillLines.disconnect(account, tables.line)
  tables.end()
}

/** The way to the till, in the words of its version. */
function lineTo(outbox: Outbox, questions: Questions, { notification, signatureQuestion }: Forms): Line {
  return {
    notify(params) {
      const lowered = notification.lower(params)
      if (lowered !== null) outbox.send({ jsonrpc: '2.0', method: notification.name, params: lowered })
    },
    askForSignature(params, answered) {
      const question = questions.open(answered)
      const { name, lower } = signatureQuestion
      outbox.send({ jsonrpc: '2.0', id: question.id, method: name, params: lower(params) })
      return question
    },
  }
}
