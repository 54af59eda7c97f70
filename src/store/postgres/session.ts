// src/store/postgres/session.ts — one connection to the primary: statements with a limit of time, and COMMIT.
import type pg from 'pg'
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import { CommitUnknown, faultOf, type SessionId, sqlStateOf, unreachable } from './faults.ts'
import { storableValue } from './storable-text.ts'

/** SQL that each connection parses once, under its name (at most 63 bytes). */
export interface Statement {
  readonly name: string
  readonly text: string
}

/**
 * Runs a statement. Numbers of 64 bits come as numbers.
 * @throws Fault; StatementFailed with the SQLSTATE for what is no outage, such as a violated constraint
 */
export type Query = <Row>(statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>

/** How long after its own limit the server has to answer, in milliseconds. */
const ANSWER_SLACK_MS = 2_000

/** SQLSTATE classes of an ERROR to COMMIT after which nothing is written: constraints, transaction states, serialisation. */
const ROLLED_BACK = /^(23|25|40)/

export interface SessionParts {
  readonly client: pg.Client
  readonly clock: Clock
  readonly id: SessionId
  /** Names the database in faults. */
  readonly where: string
}

export interface Session {
  readonly id: SessionId
  /** Whether it has ended, or must not be used any more. */
  readonly broken: boolean
  /** @param limitMs the limit that the server has for it */
  query<Row>(statement: Statement, values: readonly unknown[], limitMs: number): Promise<readonly Row[]>
  /** Runs statements without values, such as BEGIN. */
  command(text: string, limitMs: number): Promise<void>
  /**
   * Commits. When the answer is late, the session goes on waiting for it, and `answered` resolves at last.
   * @throws CommitUnknown; anything else has rolled back
   */
  commit(limitMs: number): Promise<void>
  /** Resolves when the answer to a late COMMIT has come or the connection has ended. Null when nothing is late. */
  readonly answered: Promise<void> | null
  /** Calls back once, when the connection has ended. */
  onEnd(listener: () => void): void
  /** Calls back with the text of each notice of another session, after LISTEN. */
  onNotice(listener: (text: string) => void): void
  /** Ends it without a goodbye: whatever runs is rolled back when the server notices. */
  destroy(): void
  /** Ends it in order. */
  end(): Promise<void>
}

/** Wraps a connected client. */
export function createSession({ client, clock, id, where }: SessionParts): Session {
  const listeners = new Set<() => void>()
  let broken = false
  let answered: Promise<void> | null = null
  let notices = 0
  const ended = () => {
    broken = true
    for (const listener of listeners) listener()
    listeners.clear()
  }
  // What was running fails with the same error.
  client.on('error', ended)
  client.on('end', ended)
  client.on('notice', () => {
    notices += 1
  })

  function destroy(): void {
    broken = true
    destroySocketOf(client)
  }

  async function run<T>(statement: string, work: () => Promise<T>, limitMs: number): Promise<T> {
    if (broken) throw unreachable(where, 'the connection has ended')
    try {
      return await within(clock, limitMs + ANSWER_SLACK_MS, work(), () => {
        destroy()
        return unreachable(where, 'no answer')
      })
    } catch (error) {
      const fault = faultOf(error, where, statement)
      // A server that stops, or has become a standby, is of no more use.
      if (fault instanceof Fault && fault.code === 'store_unreachable') destroy()
      throw fault
    }
  }

  const unknown = (reason: string, cause?: unknown) => new CommitUnknown(id, { detail: `${where} (${reason})`, cause })

  return {
    id,
    get broken() {
      return broken
    },
    get answered() {
      return answered
    },
    async query<Row>({ name, text }: Statement, values: readonly unknown[], limitMs: number) {
      const { rows } = await run(name, () => client.query({ name, text, values: values.map(storableValue) }), limitMs)
      return rows as readonly Row[]
    },
    async command(text, limitMs) {
      await run(text, () => client.query(text), limitMs)
    },
    async commit(limitMs) {
      if (broken) throw unreachable(where, 'the connection has ended')
      notices = 0
      const sent = client.query('COMMIT')
      const done = () => {
        answered = null
      }
      answered = sent.then(done, done)
      const result = await within(clock, limitMs, sent, () => unknown('no answer to COMMIT')).catch(error => {
        if (error instanceof CommitUnknown) throw error
        answered = null
        const state = sqlStateOf(error)
        if (state !== null && ROLLED_BACK.test(state)) throw faultOf(error, where, 'COMMIT')
        destroy()
        throw unknown(error instanceof Error ? error.message : 'the connection has ended')
      })
      answered = null
      // A COMMIT that stops waiting for its standby succeeds with a warning: a failover would lose what it wrote.
      if (notices > 0) throw unknown('COMMIT was not confirmed by the standby')
      if (result.command !== 'COMMIT') throw new Error('a transaction with a failed statement was to be committed')
    },
    onEnd(listener) {
      if (broken) listener()
      else listeners.add(listener)
    },
    onNotice: listener => void client.on('notification', ({ payload = '' }) => listener(payload)),
    destroy,
    async end() {
      broken = true
      await within(clock, ANSWER_SLACK_MS, client.end(), () => new Error('no answer')).catch(destroy)
    },
  }
}

/** Waits for a result, at most `limitMs`. @param late the error to throw then */
export async function within<T>(clock: Clock, limitMs: number, result: Promise<T>, late: () => Error): Promise<T> {
  let alarm: { cancel(): void } | null = null
  const limit = new Promise<never>((_, reject) => {
    alarm = clock.alarm(clock.now() + limitMs, () => reject(late()))
  })
  // Whatever loses the race fails unheard.
  result.catch(() => {})
  try {
    return await Promise.race([result, limit])
  } finally {
    ;(alarm as { cancel(): void } | null)?.cancel()
  }
}

/** Ends a connection at once, which the public interface of a client cannot. */
export function destroySocketOf(client: pg.Client): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
  connection.stream.destroy()
}
