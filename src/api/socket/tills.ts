// src/api/socket/tills.ts — the tills that are connected, within the limits, from the handshake on.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Refusal } from '../../domain/refusals.ts'
import { type AdmittedTill, openSession, type Session, type SessionParts } from './session.ts'

export interface Tills {
  readonly count: number
  /** Why another till of this account cannot be let in now, or null. */
  refusalFor(account: string): Refusal | null
  /**
   * Completes the handshake of a till that was let in, and serves it until it goes. Returns null, or how the handshake breaks
   * the rules of WebSockets: then nothing was written, and nobody is served.
   */
  welcome(till: AdmittedTill, request: IncomingMessage, wire: Duplex, head: Buffer): string | null
  /** Lets nobody in any more and tells all to go. Resolves when they have gone, or have had time enough. */
  close(): Promise<void>
}

/** Keeps who is connected. */
export function createTills(parts: SessionParts): Tills {
  const { limits } = parts
  const sessions = new Set<Session>()
  const perAccount = new Map<string, number>()
  /** The till of each account that keeps its tables itself: the last that has come. Terminal socket reference 1.8. */
  const atTables = new Map<string, Session>()
  let closing = false
  let whenEmpty: () => void = () => {}
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // It costs more memory for each connection than it saves in bytes.
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    // None is spoken, whatever is offered. Terminal socket reference 1.6.
    handleProtocols: () => false,
  })
  /** What is wrong with the handshake at hand: it is said before `handleUpgrade` returns. */
  let flaw: string | null = null
  server.on('wsClientError', ({ message }) => {
    flaw = message
  })

  function count(account: string, by: 1 | -1): void {
    const left = (perAccount.get(account) ?? 0) + by
    if (left === 0) perAccount.delete(account)
    else perAccount.set(account, left)
  }

  return {
    get count() {
      return sessions.size
    },
    refusalFor(account) {
      if (closing) return { code: 'gateway_stopping' }
      const full = sessions.size >= limits.tills || (perAccount.get(account) ?? 0) >= limits.tillsPerAccount
      return full ? { code: 'connections_exhausted' } : null
    },
    welcome(till, request, wire, head) {
      flaw = null
      server.handleUpgrade(request, wire, head, socket => {
        const account = till.account.id
        // The earlier one goes first, or it would close behind it the line of the later.
        if (till.area === 'pat') atTables.get(account)?.discontinue()
        const over = (): void => {
          sessions.delete(session)
          if (atTables.get(account) === session) atTables.delete(account)
          count(account, -1)
          if (sessions.size === 0) whenEmpty()
        }
        const session = openSession(parts, { socket, wire, over }, till)
        sessions.add(session)
        if (till.area === 'pat') atTables.set(account, session)
        count(account, 1)
      })
      return flaw
    },
    async close() {
      closing = true
      if (sessions.size === 0) return
      const gone = new Promise<void>(resolve => (whenEmpty = resolve))
      // Those who do not answer are cut off when their time is over, so this ends.
      for (const session of sessions) session.leave()
      await gone
    },
  }
}
