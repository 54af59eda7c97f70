// src/acquirers/iso8583/connection/network-messages.ts — sign-on, echo and sign-off, ours and those of the host.
import type { Clock } from '../../../engine/ports/clock.ts'
import { composeMessage, type Values } from '../compose.ts'
import type { Dialect } from '../dialect.ts'
import type { FieldValue } from '../field-format.ts'
import type { Message, UnpackedMessage } from '../message-codec.ts'
import { answerTypeOf } from '../message-type.ts'
import { meaningOfCode } from '../response-codes.ts'
import { timesOf } from '../times.ts'

export type NetworkMessage = 'signOn' | 'signOff' | 'echo'

/** What the messages of a connection are filled with, beside the time. */
export interface NetworkValues {
  /** Values of the fields that the dialect lists as settings. */
  readonly settings: Values
  /** Time zone of fields 12 and 13. */
  readonly timeZone: string
  /** The next audit number, six digits. */
  readonly nextStan: () => Promise<string>
}

const NETWORK_CLASS = '8'
/** Fields of a request of the host that its answer repeats. */
const REPEATED = [3, 7, 11, 12, 13, 24, 32, 33, 37, 41, 42, 70]
/** By standard: the field that says what a network message is, what the gateway answers with 39, what it can do, and which of it begins a settlement day. */
const NETWORK = {
  '1987': {
    field: 70,
    accepted: '00',
    refused: '12',
    signOff: '002',
    known: ['001', '002', '201', '202', '301'],
    cutOver: ['201', '202'],
  },
  '1993': {
    field: 24,
    accepted: '800',
    refused: '902',
    signOff: '802',
    known: ['801', '802', '821', '831'],
    cutOver: ['821'],
  },
} as const

/** The message; null when the dialect has none of this name. @throws Refused when a field has no value */
export async function networkMessage(
  dialect: Dialect,
  name: NetworkMessage,
  { settings, timeZone, nextStan }: NetworkValues,
  clock: Clock,
): Promise<Message | null> {
  const message = dialect.messages[name]
  if (message === undefined) return null
  const times = timesOf(dialect.document.standard, clock.now(), timeZone)
  return composeMessage(message, { ...settings, ...times, 11: await nextStan() })
}

/** Whether the host has accepted a network message. */
export function isAccepted({ document, codes }: Dialect, { fields }: UnpackedMessage): boolean {
  const code = String(fields[39] ?? '')
  return code === NETWORK[document.standard].accepted || meaningOfCode(codes, code).answer === 'approved'
}

export interface HostRequest {
  /** What the gateway answers. */
  readonly answer: Message
  /** Whether the host takes no more messages until it is signed on to again. */
  readonly endsSession: boolean
  /** Whether the gateway does what is asked. */
  readonly isKnown: boolean
  /** Whether the host begins a new settlement day. */
  readonly isCutOver: boolean
}

/** A request of the host with its answer; null for a message that is none. */
export function hostRequest({ document: { standard } }: Dialect, { mti, fields }: UnpackedMessage): HostRequest | null {
  const type = answerTypeOf(mti)
  if (type === null) return null
  const { field, accepted, refused, signOff, known, cutOver } = NETWORK[standard]
  const code = String(fields[field] ?? '')
  const isKnown = mti.charAt(1) === NETWORK_CLASS && known.some(each => each === code)
  const repeated: Record<number, FieldValue> = {}
  for (const number of REPEATED) {
    const value = fields[number]
    if (value !== undefined) repeated[number] = value
  }
  const answer = { mti: type, fields: { ...repeated, 39: isKnown ? accepted : refused } }
  const isCutOver = isKnown && cutOver.some(each => each === code)
  return { answer, endsSession: isKnown && code === signOff, isKnown, isCutOver }
}
