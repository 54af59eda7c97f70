// src/api/socket/tills.ts — accepts WebSocket connections of tills and holds their sessions, within the limits.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Refusal } from '../../domain/refusals.ts'
import { mayChangeKeys } from '../keys/key-holder.ts'
import { type AdmittedTill, openSession, type Session, type SessionParts } from './till-session.ts'

export interface Tills {
  readonly count: number
  /** Refusal of another till of this account; null when it may connect. */
  refusalFor(account: string): Refusal | null
  /**
   * Completes the handshake of an admitted till and serves it until it disconnects. Returns null, or the fault of an invalid
   * WebSocket handshake; then nothing was written.
   */
  welcome(till: AdmittedTill, request: IncomingMessage, wire: Duplex, head: Buffer): string | null
  /** Refuses new tills and closes all connections. Resolves when all are closed, after `leaveMs` at the latest. */
  close(): Promise<void>
}

export function createTills(parts: SessionParts): Tills {
  const { limits } = parts
  const sessions = new Set<Session>()
  const perAccount = new Map<string, Set<Session>>()
  /** The POS table provider of each account. A new connection replaces the old one. */
  const atTables = new Map<string, Session>()
  let closing = false
  let whenEmpty: () => void = () => {}
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression costs more memory for each connection than it saves in bytes.
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    // All subprotocols mean the same here. A browser gives up when it offers some and none is answered.
    handleProtocols: ([first = '']) => first,
  })
  /** Fault of the current handshake. `handleUpgrade` emits it before it returns. */
  let flaw: string | null = null
  server.on('wsClientError', ({ message }) => {
    flaw = message
  })

  // A till whose account or key was revoked, or whose user has ended, is disconnected at once, not at its next message.
  parts.api.feed.followAll(change => {
    if (!mayChangeKeys(change)) return
    for (const session of perAccount.get(change.account) ?? []) session.lookAtKey()
  })

  function add(account: string, session: Session): void {
    sessions.add(session)
    perAccount.set(account, (perAccount.get(account) ?? new Set()).add(session))
  }

  function remove(account: string, session: Session): void {
    sessions.delete(session)
    const left = perAccount.get(account)
    left?.delete(session)
    if (left?.size === 0) perAccount.delete(account)
  }

  return {
    get count() {
      return sessions.size
    },
    refusalFor(account) {
      if (closing) return { code: 'gateway_stopping' }
      const full = sessions.size >= limits.tills || (perAccount.get(account)?.size ?? 0) >= limits.tillsPerAccount
      return full ? { code: 'connections_exhausted' } : null
    },
    welcome(till, request, wire, head) {
      flaw = null
      server.handleUpgrade(request, wire, head, socket => {
        const account = till.account.id
        // The old session ends first. Afterwards it would disconnect the new one's tables.
        if (till.area === 'pat') atTables.get(account)?.discontinue()
        const over = (): void => {
          remove(account, session)
          if (atTables.get(account) === session) atTables.delete(account)
          if (sessions.size === 0) whenEmpty()
        }
        const session = openSession(parts, { socket, wire, over }, till)
        add(account, session)
        if (till.area === 'pat') atTables.set(account, session)
      })
      return flaw
    },
    async close() {
      closing = true
      if (sessions.size === 0) return
      const gone = new Promise<void>(resolve => (whenEmpty = resolve))
      // Tills that do not answer are disconnected after `leaveMs`, so this ends.
      for (const session of sessions) session.leave()
      await gone
    },
  }
}
