// src/acquirers/iso8583/dialect-messages.ts — reads the messages of a dialect document, and finds fields without a value.
import type { Standard } from './base-fields.ts'
import type { DialectProblem } from './dialect-fields.ts'
import { type DialectDocument, MESSAGE_NAMES, type MessageDocument, type MessageName } from './dialect-schema.ts'
import { packField } from './field-codec.ts'
import type { FieldFormat } from './field-format.ts'
import { answerTypeOf, repeatTypeOf } from './message-type.ts'
import { placeIn } from './places.ts'
import { Refused } from './refused.ts'

/** A field of a message: one of several, and whether it may be absent. */
export interface MessageField {
  readonly oneOf: readonly number[]
  readonly isOptional: boolean
}

export interface DialectMessage {
  readonly mti: string
  /** Type of the answer; null when none is awaited. */
  readonly answer: string | null
  /** Type of a repetition; null when the host takes none. */
  readonly repeat: string | null
  readonly fields: readonly MessageField[]
  /** Fields with the same value in each message of this name. */
  readonly set: Readonly<Record<number, string>>
  /** Whether it has an audit number of its own or that of the message it refers to. */
  readonly stan: 'new' | 'same'
}

export type DialectMessages = { readonly [Name in MessageName]?: DialectMessage }

/** Fields that the gateway fills from an order, its answer or its counters. */
const FROM_THE_ORDER: Readonly<Record<Standard, readonly number[]>> = {
  '1987': [2, 4, 7, 11, 12, 13, 14, 15, 23, 35, 37, 38, 49, 50, 52, 53, 54, 55, 90, 95],
  '1993': [2, 4, 7, 11, 12, 14, 15, 23, 30, 35, 37, 38, 49, 50, 52, 53, 54, 55, 56],
}
const VERSION_DIGIT: Readonly<Record<Standard, string>> = { '1987': '0', '1993': '1' }
const FIELD_WORD = /^(\d{1,3}(?:\|\d{1,3})*)(\??)$/

/** The messages with what they take over from others by `like`, and what is wrong with them. */
export function dialectMessages(
  document: DialectDocument,
  formats: ReadonlyMap<number, FieldFormat>,
): { readonly messages: DialectMessages; readonly problems: readonly DialectProblem[] } {
  const problems: DialectProblem[] = []
  const messages: { [Name in MessageName]?: DialectMessage } = {}
  for (const name of MESSAGE_NAMES) {
    if (document.messages[name] === undefined) continue
    const at = `messages.${name}`
    const whole = resolved(document, name, [], problems)
    if (whole === null) continue
    const message = messageIn(whole, at, problems)
    messages[name] = message
    problems.push(...typeProblems(document.standard, message, at))
    problems.push(...setProblems(message, formats, at))
    problems.push(...fieldProblems(document, message, formats, at))
  }
  return { messages, problems }
}

/** The message with the members of the one it is like; null when these are in a circle or do not exist. */
function resolved(
  document: DialectDocument,
  name: MessageName,
  before: readonly MessageName[],
  problems: DialectProblem[],
): MessageDocument | null {
  const own = document.messages[name]
  const at = `messages.${before[0] ?? name}.like`
  if (own === undefined || before.includes(name)) {
    problems.push({ at, says: own === undefined ? `names ${name}, which is no message here` : 'leads back to itself' })
    return null
  }
  if (own.like === undefined) return own
  const model = resolved(document, own.like, [...before, name], problems)
  return model === null ? null : { ...model, ...own, set: { ...model.set, ...own.set } }
}

function messageIn(document: MessageDocument, at: string, problems: DialectProblem[]): DialectMessage {
  const { mti, repeat = null, fields = '', set = {}, stan = 'new' } = document
  const words = fields.split(/\s+/).filter(word => word !== '')
  const list = words.flatMap(word => {
    const [, numbers, mark] = FIELD_WORD.exec(word) ?? []
    if (numbers !== undefined) return [{ oneOf: numbers.split('|').map(Number), isOptional: mark === '?' }]
    problems.push({ at: `${at}.fields`, says: `holds ${JSON.stringify(word)}; a field is written as 4, 52? or 2|35` })
    return []
  })
  return { mti, answer: answerTypeOf(mti), repeat, fields: list, set: set as Readonly<Record<number, string>>, stan }
}

function* typeProblems(standard: Standard, { mti, repeat }: DialectMessage, at: string): Iterable<DialectProblem> {
  const digit = VERSION_DIGIT[standard]
  if (!mti.startsWith(digit))
    yield { at: `${at}.mti`, says: `must begin with ${digit}, the digit of ${standard}, not ${mti}` }
  if (!/^.[1-8][024][024]$/.test(mti))
    yield { at: `${at}.mti`, says: `must be a request, an advice or a notification, and no repetition, not ${mti}` }
  const expected = repeatTypeOf(mti)
  if (repeat !== null && repeat !== expected)
    yield { at: `${at}.repeat`, says: `must be ${expected}, the repetition of ${mti}, not ${repeat}` }
}

function* setProblems(
  { set }: DialectMessage,
  formats: ReadonlyMap<number, FieldFormat>,
  at: string,
): Iterable<DialectProblem> {
  for (const [number, value] of Object.entries(set))
    yield* valueProblems(formats, Number(number), value, `${at}.set.${number}`)
}

/** Why a value cannot stand in a field. */
export function* valueProblems(
  formats: ReadonlyMap<number, FieldFormat>,
  number: number,
  value: string,
  at: string,
): Iterable<DialectProblem> {
  const format = formats.get(number)
  if (format === undefined) return yield { at, says: `belongs to field ${number}, which has no format` }
  try {
    packField(format, value)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    yield { at, says: `cannot be sent: ${error.message.replace(/\.$/, '')}` }
  }
}

function* fieldProblems(
  document: DialectDocument,
  { fields, set }: DialectMessage,
  formats: ReadonlyMap<number, FieldFormat>,
  at: string,
): Iterable<DialectProblem> {
  const place = `${at}.fields`
  const numbers = fields.flatMap(({ oneOf }) => oneOf)
  const twice = numbers.find((number, index) => numbers.indexOf(number) < index)
  if (twice !== undefined) yield { at: place, says: `holds field ${twice} twice` }
  if (numbers.includes(64) || numbers.includes(128))
    yield { at: place, says: 'must not hold 64 or 128: the member mac says which one is sent' }
  for (const number of numbers)
    if (!formats.has(number)) yield { at: place, says: `holds field ${number}, which has no format` }
  const sources = sourcesOf(document)
  for (const { oneOf, isOptional } of fields)
    if (!isOptional && !oneOf.some(number => sources.has(number) || set[number] !== undefined))
      yield {
        at: place,
        says:
          `needs field ${oneOf.join(' or ')}, for which there is no value: write it into set, list it in settings, ` +
          `or mark it as optional: ${oneOf.join('|')}?`,
      }
}

function sourcesOf({ standard, settings, entryMode, condition, proof = {}, reconciliation }: DialectDocument) {
  return new Set([
    ...FROM_THE_ORDER[standard],
    ...settings,
    entryMode.field,
    ...(condition === undefined ? [] : [condition.field]),
    ...[...Object.values(proof), ...Object.values(reconciliation ?? {}).flat()].map(place => placeIn(place).field),
  ])
}
