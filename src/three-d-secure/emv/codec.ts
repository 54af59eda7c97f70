// src/three-d-secure/emv/codec.ts — messages of EMV 3-D Secure between JSON and one model for all versions. ADR 84.
import { ARES, CREQ, CRES, ERRO, RREQ, RRES } from './answer-members.ts'
import { AREQ } from './areq-members.ts'
import type { Place } from './formats.ts'
import { isObject, type Members, type ModelOf, readMembers, writeMembers } from './members.ts'
import { firstObjection, type Objection, type ObjectionCode, objection } from './objection.ts'
import { PREQ, PRES } from './range-members.ts'
import { parseStrictly } from './strict-json.ts'
import { isVersion, looksLikeVersion, type Version } from './versions.ts'

const MESSAGES = {
  PReq: PREQ,
  PRes: PRES,
  AReq: AREQ,
  ARes: ARES,
  CReq: CREQ,
  CRes: CRES,
  RReq: RREQ,
  RRes: RRES,
  Erro: ERRO,
} as const

export type MessageType = keyof typeof MESSAGES
export const MESSAGE_TYPES = Object.keys(MESSAGES) as readonly MessageType[]

/** A message in the model: members have the names and shapes of 2.3.1, whatever version carries it. */
export type Message<Type extends MessageType = MessageType> = {
  readonly [Each in Type]: { readonly messageType: Each } & ModelOf<(typeof MESSAGES)[Each]>
}[Type]

export interface Decoded<Type extends MessageType = MessageType> {
  readonly version: Version
  readonly message: Message<Type>
}

export interface Refused {
  readonly refused: Objection
}

/** Longest message, in characters. Card ranges are longer: their reader gives a limit of its own. */
const LONGEST = 1_048_576

export interface DecodeOptions<Type extends MessageType> {
  /** Message types that the receiver takes; another one is 101. */
  readonly expected: readonly Type[]
  /** Category of the request, for an ARes: `01` payment, `02` none. The ARes does not say it. */
  readonly messageCategory?: string
  /** Ids of message extensions that are recognised. */
  readonly extensions?: readonly string[]
  /** Longest text in characters. */
  readonly longest?: number
}

/**
 * Reads a message. Never throws, and what it refuses is named by members only: a value may be the card's. Checks come in the
 * order of the specification: JSON, type, duplicates, version, presence, formats, critical extensions.
 */
export function decode<Type extends MessageType>(
  text: string,
  { expected, messageCategory, extensions = [], longest = LONGEST }: DecodeOptions<Type>,
): Decoded<Type> | Refused {
  if (text.length > longest) return refused('101', ['message too long'])
  const json = parseStrictly(text)
  if ('problem' in json) return refused('101', [json.problem === 'not_json' ? 'not JSON' : 'nested too deeply'])
  if (!isObject(json.value)) return refused('101', ['not an object'])
  const { messageType, messageVersion } = json.value
  const type = expected.find(each => each === messageType)
  if (type === undefined) return refused('101', ['messageType'])
  if (json.duplicates.length > 0) return refused('204', json.duplicates.map(knownName))
  if (messageVersion === undefined) return refused('201', ['messageVersion'])
  if (!looksLikeVersion(messageVersion)) return refused('203', ['messageVersion'])
  if (!isVersion(messageVersion)) return refused('102', ['messageVersion'])
  const known = messageCategory === undefined ? {} : { messageCategory }
  const { members, problem } = read(type, json.value, messageVersion, extensions, known)
  if (problem !== null) return { refused: problem }
  return { version: messageVersion, message: { messageType: type, ...members } as Message<Type> }
}

/**
 * Writes a message in a version. Members that the version lacks are left out, codes that it lacks become the nearest ones.
 * Refused when the version requires a member that the message lacks, or a value does not fit.
 */
export function encode(message: Message, version: Version): { readonly text: string } | Refused {
  const { messageType, ...model } = message
  const members = writeMembers(MESSAGES[messageType], model, version)
  const wire = { messageType, messageVersion: version, ...members }
  const extensions = extensionsOf(message)
  const { problem } = read(messageType, wire, version, extensions, {})
  return problem === null ? { text: JSON.stringify(wire) } : { refused: problem }
}

function read(
  type: MessageType,
  raw: Readonly<Record<string, unknown>>,
  version: Version,
  extensions: readonly string[],
  known: Readonly<Record<string, string>>,
) {
  const notes: { readonly code: ObjectionCode; readonly name: string }[] = []
  const place: Place = { version, extensions, name: '', note: (code, name) => void notes.push({ code, name }) }
  const members = readMembers(MESSAGES[type], raw, place, known)
  return { members, problem: firstObjection(notes) }
}

/** What we send we recognise. */
function extensionsOf(message: Message): readonly string[] {
  return 'messageExtension' in message ? (message.messageExtension?.map(({ id }) => id) ?? []) : []
}

const NAMES = new Set(['messageType', 'messageVersion', ...MESSAGE_TYPES.flatMap(type => namesOf(MESSAGES[type]))])

function namesOf(members: Members): readonly string[] {
  return Object.entries(members).flatMap(([name, { earlier }]) => [name, earlier ?? name])
}

/** A repeated name of no member is not quoted: it is the sender's text. */
function knownName(name: string): string {
  return NAMES.has(name) ? name : 'a member inside another, or an unknown one'
}

function refused(code: ObjectionCode, names: readonly string[]): Refused {
  return { refused: objection(code, names) }
}
