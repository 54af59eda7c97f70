// src/acquirers/iso8583/connection/link.ts — one open connection to a host: its messages, sign-on and echoes.
import type { Alarm, Clock } from '../../../engine/ports/clock.ts'
import type { Log } from '../../../engine/ports/log.ts'
import type { HostSocket } from '../../../engine/ports/socket-opener.ts'
import type { Dialect } from '../dialect.ts'
import { answerHeader, createFrameReader, type Frame, frameMessage } from '../framing.ts'
import { type Message, packMessage, type UnpackedMessage, unpackMessage } from '../message-codec.ts'
import { Refused } from '../refused.ts'
import type { Authentication } from './authentication.ts'
import type { Exchanges, Outcome, Waiting } from './exchanges.ts'
import { hostRequest, isAccepted, type NetworkMessage, type NetworkValues, networkMessage } from './network-messages.ts'

export interface LinkParts extends NetworkValues {
  readonly dialect: Dialect
  readonly exchanges: Exchanges
  /** Null for a dialect without codes. */
  readonly authentication: Authentication | null
  readonly clock: Clock
  readonly log: Log
  /** For log lines: host and port. */
  readonly address: string
}

export interface Link {
  /** Sends a request and waits for its answer. @throws Refused for a message that the dialect does not allow; nothing was sent */
  request(message: Message, waiting: Waiting): Promise<Outcome>
  /** Sends a network message. Null when the dialect has none of this name, or a sentence when it was not accepted. */
  network(name: NetworkMessage): Promise<string | null>
  /** Takes the next bytes of the host. */
  receive(bytes: Uint8Array): void
  /** Begins to send echoes when the host is silent. */
  watch(): void
  /** To be called when the connection is closed: ends all waiting for answers, and says why it was closed. */
  lost(why: string): string
  end(): void
  drop(why: string): void
}

/** Echoes without an answer after which a connection is given up. */
const MOST_MISSES = 2
/** Wrong codes in a row after which it is given up: the keys differ, or somebody else writes. */
const MOST_WRONG_CODES = 2

/** Creates the link over a connection. */
export function createLink(parts: LinkParts, socket: HostSocket): Link {
  const { dialect, exchanges, authentication, clock, log, address } = parts
  const { echoMs, answerMs } = dialect.document.timers
  const { framing } = dialect
  const reader = createFrameReader(framing)
  const line = {}
  let closedBy: string | null = null
  let receivedAt = clock.now()
  let echo: Alarm | null = null
  let wrongCodes = 0
  const sending = createTurns()
  const taking = createTurns()

  function drop(why: string): void {
    closedBy ??= why
    socket.destroy()
  }

  async function request(message: Message, waiting: Waiting): Promise<Outcome> {
    // One after another, so that a reversal does not overtake its original.
    const packed = authentication === null ? null : await sending(() => authentication.pack(message, framing.header))
    if (packed !== null && 'refused' in packed) {
      log.error({ address, mti: message.mti, why: packed.refused }, 'no code for a message; it is not sent')
      return { outcome: 'not_sent', why: `no code: ${packed.refused}` }
    }
    const bytes = packed?.bytes ?? packMessage(dialect.format, message)
    const framed = frameMessage(framing, bytes)
    const key = exchanges.keyOf(unpackMessage(dialect.format, bytes))
    if (closedBy !== null) return { outcome: 'not_sent', why: closedBy }
    if (key === null) throw new Error(`${message.mti} has no answer`)
    if (exchanges.isOpen(key)) return { outcome: 'not_sent', why: 'its audit number is in use' }
    const answer = exchanges.begin(key, line, waiting)
    socket.write(framed)
    return answer
  }

  async function network(name: NetworkMessage): Promise<string | null> {
    const message = await networkMessage(dialect, name, parts, clock)
    if (message === null) return null
    const sent = await request(message, { limitMs: answerMs })
    if (sent.outcome !== 'answered') return sent.why
    return isAccepted(dialect, sent.answer) ? null : `refused with code ${codeOf(sent.answer)}`
  }

  /** An answer shows that the host is there; so does anything else that it sends. */
  async function probe(misses: number): Promise<void> {
    const silentMs = clock.now() - receivedAt
    if (silentMs < echoMs) return next(0, echoMs - silentMs)
    const missed = await network('echo')
    if (closedBy !== null) return
    if (missed === null || clock.now() - receivedAt < echoMs) return next(0, echoMs)
    log.warn({ address, why: missed }, 'echo not answered')
    if (misses + 1 >= MOST_MISSES) drop(`${MOST_MISSES} echoes were not answered`)
    else next(misses + 1, 0)
  }

  function next(misses: number, inMs: number): void {
    if (closedBy !== null) return
    echo = clock.alarm(clock.now() + inMs, () => void probe(misses).catch(error => drop(String(error))))
  }

  function answerTo({ header: given }: Frame, message: UnpackedMessage): boolean {
    const asked = hostRequest(dialect, message)
    if (asked === null) return false
    if (!asked.isKnown)
      log.warn({ address, mti: message.mti }, 'refused a request of the host that the gateway does not know')
    // Nothing begins with it here: a reconciliation counts what none has closed. ADR 91.
    if (asked.isCutOver)
      log.info({ address, settlementDate: message.fields[15] ?? null }, 'the host has begun a new settlement day')
    const header = answerHeader(framing, given)
    const end = () => {
      if (asked.endsSession) drop('the host has signed off')
    }
    if (authentication === null) {
      socket.write(frameMessage(framing, packMessage(dialect.format, asked.answer), header))
      end()
      return true
    }
    const packed = sending(() => authentication.pack(asked.answer, header))
    void packed.then(made => {
      if ('refused' in made) log.error({ address, why: made.refused }, 'no code for an answer to the host')
      else socket.write(frameMessage(framing, made.bytes, header))
      end()
    }, failed)
    return true
  }

  function unpacked({ message }: Frame): UnpackedMessage | null {
    try {
      return unpackMessage(dialect.format, message)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // Its request gets no answer, so it is reversed. The next message begins where its length says.
      log.error({ address, why: error.message }, 'message of the host cannot be read')
      return null
    }
  }

  function receive(frame: Frame): void {
    const message = unpacked(frame)
    if (message === null) return
    if (authentication === null) {
      take(frame, message)
      return
    }
    void taking(() => authentication.check(frame, message)).then(checked => {
      if (checked === 'right') {
        wrongCodes = 0
        take(frame, message)
        return
      }
      // It counts as no answer, so its order is reversed.
      const fields = { address, mti: message.mti, stan: message.fields[11], code: codeOf(message), why: checked }
      log.error(fields, 'message of the host without a right code')
      if (checked !== 'wrong') return
      wrongCodes += 1
      if (wrongCodes >= MOST_WRONG_CODES) drop(`${MOST_WRONG_CODES} messages had wrong codes; compare the keys`)
    }, failed)
  }

  function failed(error: unknown): void {
    drop(error instanceof Error ? error.message : String(error))
  }

  function take(frame: Frame, message: UnpackedMessage): void {
    const taken = exchanges.take(message)
    if (taken === 'answer' || (taken === 'unasked' && answerTo(frame, message))) return
    const missing = dialect.document.identity.match.filter(number => message.fields[number] === undefined)
    const fields = { address, mti: message.mti, stan: message.fields[11], code: codeOf(message) }
    log.warn(
      missing.length === 0 ? fields : { ...fields, missing },
      `${taken} answer of the host${missing.length === 0 ? '' : ' without fields by which the dialect finds its request'}`,
    )
  }

  return {
    request,
    network,
    receive(bytes) {
      receivedAt = clock.now()
      try {
        for (const frame of reader.push(bytes)) receive(frame)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        drop(error.message)
      }
    },
    watch() {
      if (dialect.messages.echo !== undefined) next(0, echoMs)
    },
    lost(why) {
      closedBy ??= why
      echo?.cancel()
      exchanges.lose(line, `the connection was lost: ${closedBy}`)
      return closedBy
    },
    end() {
      closedBy ??= 'the gateway closes'
      echo?.cancel()
      socket.end()
    },
    drop,
  }
}

/** Work in the order of its beginning: each waits for the end of the one before. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begun = last.then(work)
    last = begun.catch(() => {})
    return begun
  }
}

function codeOf({ fields }: UnpackedMessage): string {
  return String(fields[39] ?? 'none')
}
