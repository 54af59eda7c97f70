// src/peers/acquirer-host/connection.ts — one connection of a gateway: reads its messages, and answers as the scenarios say.
import type { Socket } from 'node:net'
import { answerTo, formatError, type HostParts, outcomeOf } from './answering.ts'
import { isAuthentic, packWithCode } from './authenticated.ts'
import { type Behaviour, type LinkFault, ORDINARY_BEHAVIOUR } from './behaviour.ts'
import { type Message, type Partly, unpack } from './codec.ts'
import { answerHeader, type Frame, framed, frameReader } from './framing.ts'
import { decide } from './host.ts'
import { checkedPin } from './pin-block.ts'
import { lineOf } from './printable.ts'
import { type Request, requestIn } from './request.ts'
import type { HostScenarios } from './scenario-queue.ts'
import { Unreadable } from './unreadable.ts'

export interface ConnectionParts extends HostParts {
  readonly queue: HostScenarios
  /** Null when codes are neither checked nor made. */
  readonly macKey: Buffer | null
  /** Gets a line for each message. */
  readonly onLine: (line: string) => void
}

export interface Connection {
  /** Sends a message of the host's own. */
  send(message: Message): void
  /** The latest request that had a terminal; null before it. */
  latest(): Request | null
  close(): void
}

/** Serves a connection until it ends. */
export function serveConnection(socket: Socket, parts: ConnectionParts): Connection {
  const { dialect, time, onLine } = parts
  const read = frameReader(dialect.framing)
  const session = { isSignedOn: false }
  /** Answers that wait for the next one. */
  const heldBack: Buffer[] = []
  let latest: Request | null = null

  function take({ header, body }: Frame): void {
    const seen: Partly = { mti: '', fields: {} }
    let message: Message
    try {
      message = unpack(body, dialect.packing, seen)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      refuse(header, seen, error)
      return
    }
    const pin = checkedPin(message, parts.pinKey)
    onLine(`<- ${lineOf(message, dialect)}${pin === null ? '' : ` pin=${pin}`}`)
    if (Number(message.mti.charAt(2)) % 2 === 1 || message.mti.charAt(2) === '4') return
    const request = requestIn(message, dialect)
    if (request.terminal !== '') latest = request
    if (isAuthentic(body, message, dialect, parts.macKey)) serve(header, request)
    else send(header, answerTo(request, dialect, { 39: outcomeOf(dialect, 'wrong_mac') }))
  }

  function refuse(header: Buffer, seen: Partly, { field, message }: Unreadable): void {
    onLine(`<- unreadable: ${message}`)
    // Without its number no answer could be told apart.
    if (seen.fields[11] === undefined || field === null) socket.destroy()
    else send(header, answerTo(seen, dialect, formatError(dialect, field)))
  }

  function serve(header: Buffer, request: Request): void {
    const { concern, card, amountMinor } = request
    const behaviour = parts.queue.take({ concern, ending: card?.slice(-4) ?? null, amountMinor })
    if (behaviour.faults.has('connection_dropped')) return void socket.destroy()
    const { slowMs } = behaviour.issuer
    const act = () => answer(header, request, behaviour, decide(parts, request, behaviour, session))
    if (slowMs > 0) time.alarm(time.now() + slowMs, act)
    else act()
  }

  function answer(header: Buffer, request: Request, behaviour: Behaviour, message: Message | null): void {
    const { faults } = behaviour
    const pauseMs = faults.get('stops_reading')
    if (pauseMs !== undefined) {
      socket.pause()
      time.alarm(time.now() + pauseMs, () => socket.resume())
    }
    if (faults.has('answer_lost')) return void socket.destroy()
    if (message === null) {
      onLine(`   no answer to ${request.stan}`)
      return
    }
    if (faults.has('in_progress_first'))
      send(header, answerTo(request, dialect, { 39: outcomeOf(dialect, 'in_progress') }))
    const delayMs = faults.get('slow_answer')
    const give = () => send(header, altered(message, faults), behaviour)
    if (delayMs === undefined) give()
    else time.alarm(time.now() + delayMs, give)
  }

  function send(header: Buffer, message: Message, { faults }: Behaviour = ORDINARY_BEHAVIOUR): void {
    if (socket.destroyed) return
    const packed = packWithCode(message, dialect, parts.macKey)
    if (faults.has('wrong_mac')) packed.writeUInt8(packed.readUInt8(packed.length - 1) ^ 0xff, packed.length - 1)
    const body = faults.has('garbled_answer') ? Buffer.from(packed.map(byte => byte ^ 0xff)) : packed
    const bytes = framed({ header: answerHeader(header, dialect.framing), body }, dialect.framing)
    onLine(`-> ${lineOf(message, dialect)}`)
    if (faults.has('half_answer')) return void socket.end(bytes.subarray(0, bytes.length >> 1))
    if (faults.has('answer_out_of_order')) return void heldBack.push(bytes)
    socket.write(bytes)
    if (faults.has('answer_twice')) socket.write(bytes)
    for (const late of heldBack.splice(0)) socket.write(late)
    if (faults.has('connection_closed')) socket.end()
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of read(chunk)) {
        // An earlier message has ended the connection.
        if (socket.destroyed) return
        take(frame)
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      onLine(`<- unreadable: ${error.message}`)
      socket.destroy()
    }
  })
  // A connection that breaks is a gateway's way to end, and no fault of the host.
  socket.on('error', () => {})
  return {
    send: message => send(dialect.framing.header, message),
    latest: () => latest,
    close: () => void socket.destroy(),
  }
}

/** Highest number of a message. */
const LAST_STAN = 999_999

function altered(message: Message, faults: ReadonlyMap<LinkFault, number>): Message {
  const fields: Record<number, string> = { ...message.fields }
  if (faults.has('wrong_stan') && fields[11] !== undefined)
    fields[11] = String((Number(fields[11]) % LAST_STAN) + 1).padStart(6, '0')
  const more = faults.get('wrong_amount')
  if (more !== undefined && fields[4] !== undefined) fields[4] = String(Number(fields[4]) + more).padStart(12, '0')
  return { ...message, fields }
}
