// src/api/rpc/session.ts — the connection of one till, from its first message to its end.
import type { RawData, WebSocket } from 'ws'
import type { MerchantAccount } from '../../domain/merchant-account.ts'
import type { Partner } from '../../domain/terminal-transaction-events.ts'
import type { Authenticator } from '../auth.ts'
import type { ApiParts } from '../parts.ts'
import type { Dispatcher, Request } from './dispatcher.ts'
import { readEnvelope } from './envelope.ts'
import { createKeepAlive } from './keep-alive.ts'
import type { RpcLimits } from './limits.ts'
import type { Caller, Line } from './method.ts'
import { createOutbox } from './outbox.ts'
import { createQuestions } from './questions.ts'
import { errorReply, refusalReply } from './replies.ts'
import { createTempo } from './tempo.ts'
import { textOf } from './text.ts'
import type { RpcRung } from './versions/ladder.ts'

/** Why we close. Terminal socket reference 12, row 16; 1013 is "try again later". */
const CLOSE = { away: 1001, policy: 1008, slow: 1013 } as const

/** A till that was let in. */
export interface AdmittedTill {
  readonly account: MerchantAccount
  readonly keyHash: string
  readonly partner: Partner
  readonly rung: RpcRung
}

export interface SessionParts {
  readonly api: ApiParts
  readonly authenticator: Authenticator
  readonly dispatcher: Dispatcher
  readonly limits: RpcLimits
}

export interface Session {
  /** Tells the till that the gateway goes away. What is under way goes on without it. */
  leave(): void
}

/** Serves a till on an open connection. `over` is called when it has closed. */
export function openSession(parts: SessionParts, socket: WebSocket, till: AdmittedTill, over: () => void): Session {
  const { api, dispatcher, limits } = parts
  const forms = dispatcher.forms(till.rung)
  const outbox = createOutbox(socket, limits.unreadBytes, () => close(CLOSE.slow, 'Messages are not being read'))
  const keepAlive = createKeepAlive(socket, api.clock, limits, () => close(CLOSE.away, 'No sign of life'))
  const tempo = createTempo(api.clock, limits.messagesPerSecond)
  const questions = createQuestions()
  const leaving = new Set<() => void>()
  let turn: Promise<void> = Promise.resolve()
  let open = 0

  /** A close that is not answered is made good after a while. */
  function close(code: number, reason: string): void {
    socket.close(code, reason)
    const alarm = api.clock.alarm(api.clock.now() + limits.leaveMs, () => socket.terminate())
    leaving.add(alarm.cancel)
  }
}
