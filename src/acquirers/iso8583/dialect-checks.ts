// src/acquirers/iso8583/dialect-checks.ts — finds what is wrong with a dialect document beyond its form.
import { BASE_FIELDS } from './base-fields.ts'
import type { DialectProblem } from './dialect-fields.ts'
import { type DialectMessage, type DialectMessages, valueProblems } from './dialect-messages.ts'
import type { DialectDocument } from './dialect-schema.ts'
import { packField } from './field-codec.ts'
import type { FieldFormat } from './field-format.ts'
import { canSwap } from './framing.ts'
import { type MessageFormat, packMessage, unpackMessage } from './message-codec.ts'
import { answerTypeOf } from './message-type.ts'
import { placeIn } from './places.ts'
import { Refused } from './refused.ts'
import { codesByMember } from './response-codes.ts'
import { isBerTag, tagNumber } from './sub-fields.ts'

/** What the checks look at. */
export interface Checked {
  readonly document: DialectDocument
  readonly format: MessageFormat
  readonly messages: DialectMessages
}

/** All problems, in the order of the document. */
export function* dialectProblems(checked: Checked): Iterable<DialectProblem> {
  yield* framingProblems(checked)
  yield* identityProblems(checked)
  yield* uploadProblems(checked)
  yield* cashbackProblems(checked)
  yield* placeProblems(checked)
  yield* codeProblems(checked)
  yield* securityProblems(checked)
  yield* timerProblems(checked)
  yield* exampleProblems(checked)
}

function* framingProblems({ document, format }: Checked): Iterable<DialectProblem> {
  const { length, header } = document.framing
  if (header?.answer === 'swap' && !canSwap(Buffer.from(header.bytes, 'hex')))
    yield { at: 'framing.header.bytes', says: 'must have 5 bytes: only the addresses of a TPDU can be swapped' }
  const isText = format.mti !== 'bcd' && format.bitmap !== 'raw' && [...format.fields.values()].every(isTextOnly)
  if (length === 'etx' && !isText)
    yield { at: 'framing.length', says: 'must not be etx, because a byte of BCD or raw data may be 03 too' }
}

function isTextOnly({ as, prefix }: FieldFormat): boolean {
  return as !== 'bcd' && as !== 'raw' && (prefix === null || prefix.as === 'ascii' || prefix.as === 'ebcdic')
}

function* identityProblems({ document, format, messages }: Checked): Iterable<DialectProblem> {
  const { match, echo, stanPer } = document.identity
  if (!match.includes(11)) yield { at: 'identity.match', says: 'must hold 11: without it no answer is found again' }
  for (const [member, numbers] of Object.entries({ match, echo, stanPer }))
    for (const number of numbers)
      if (!format.fields.has(number))
        yield { at: `identity.${member}`, says: `holds field ${number}, which has no format` }
  const { charge, reverse } = messages
  for (const [name, message] of Object.entries({ charge, reverse }))
    for (const number of match)
      if (message !== undefined && !isSent(message, number))
        yield { at: 'identity.match', says: `holds field ${number}, which messages.${name} does not always send` }
  for (const number of document.settings)
    if (!format.fields.has(number)) yield { at: 'settings', says: `holds field ${number}, which has no format` }
}

function isSent({ fields, set }: DialectMessage, number: number): boolean {
  return set[number] !== undefined || fields.some(({ oneOf, isOptional }) => !isOptional && oneOf.includes(number))
}

/** Messages that are sent only after others. */
function* uploadProblems({ messages }: Checked): Iterable<DialectProblem> {
  const { reconcile, upload, reconcileUploaded } = messages
  if (upload !== undefined && reconcile === undefined)
    yield {
      at: 'messages.upload',
      says: 'is there, and no message reconcile: a batch is uploaded when its totals differ',
    }
  if (reconcileUploaded !== undefined && upload === undefined)
    yield { at: 'messages.reconcileUploaded', says: 'is there, and no message upload' }
}

/** Cash is told to the host by processing code and field 54, or not paid out at all. */
function* cashbackProblems({ document, format, messages }: Checked): Iterable<DialectProblem> {
  if (document.cashback === undefined) return
  const { charge } = messages
  const says = (problem: string) => ({ at: 'cashback', says: problem })
  if (charge?.set[3] === undefined) yield says('is there, and messages.charge.set has no processing code (3)')
  if (charge?.fields.some(({ oneOf }) => oneOf.includes(54)) !== true)
    yield says('is there, and messages.charge has no field 54')
  if (format.fields.get(54)?.structure?.kind !== 'parts') yield says('is there, and field 54 has no parts')
}

/** Values and places that the document names for what an order carries. */
function* placeProblems({ document, format }: Checked): Iterable<DialectProblem> {
  const { entryMode, condition, proof = {}, reconciliation = {} } = document
  for (const [member, values] of Object.entries({ entryMode, condition })) {
    const { field, ...rest } = values ?? {}
    for (const [name, value] of Object.entries(rest))
      if (field !== undefined) yield* valueProblems(format.fields, field, value, `${member}.${name}`)
  }
  for (const [name, place] of Object.entries(proof)) {
    const { field: number, part: sub } = placeIn(String(place))
    const at = `proof.${name}`
    const field = format.fields.get(number)
    if (field === undefined) yield { at, says: `names field ${number}, which has no format` }
    else if (sub !== undefined && !hasSubField(field, sub))
      yield { at, says: `names ${place}, and field ${number} has no ${sub}` }
    else if (sub === undefined && field.structure !== null && field.structure.kind !== 'parts')
      yield { at, says: `must name a sub-field of field ${number}, such as ${number}.04` }
  }
  yield* securityCodeProblems(proof.securityCode, format)
  for (const [name, total] of Object.entries(reconciliation))
    for (const one of [total].flat()) yield* totalProblems(String(one), format, `reconciliation.${name}`)
}

/** A total stands in a field of its own, or in a part of one. */
function* totalProblems(place: string, { fields }: MessageFormat, at: string): Iterable<DialectProblem> {
  const { field: number, part } = placeIn(place)
  const field = fields.get(number)
  if (field === undefined) yield { at, says: `names field ${number}, which has no format` }
  else if (part === undefined && field.structure !== null)
    yield { at, says: `must name a part of field ${number}, such as ${number}.sales` }
  else if (part !== undefined && !(field.structure?.kind === 'parts' && hasSubField(field, part)))
    yield { at, says: `names ${place}, and field ${number} has no part ${part}` }
}

/** A security code is neither stored nor shown. */
function* securityCodeProblems(place: string | undefined, { fields }: MessageFormat): Iterable<DialectProblem> {
  if (place === undefined) return
  const { field: number, part: sub = '' } = placeIn(place)
  const field = fields.get(number)
  if (field !== undefined && field.show === 'plain' && !field.secret.includes(sub))
    yield {
      at: 'proof.securityCode',
      says: `names ${place}, which would be shown: list it in fields.${number}.secret, or hide the field`,
    }
}

function hasSubField({ structure }: FieldFormat, sub: string): boolean {
  switch (structure?.kind) {
    case undefined:
      return false
    case 'parts':
      return structure.parts.some(({ name }) => name === sub)
    case 'ber':
      return isBerTag(sub)
    case 'tlv':
      return tagNumber(structure.tag, sub) !== null
    case 'bitmap':
      return structure.fields.has(Number(sub))
  }
}

function* codeProblems({ document, format }: Checked): Iterable<DialectProblem> {
  const { reversal, ...lists } = document.codes
  yield* listProblems(codesByMember(lists), format, 'codes')
  const ofReversals = Object.entries(reversal ?? {}).flatMap(([member, codes]) =>
    codes.map(code => [member, code] as const),
  )
  yield* listProblems(ofReversals, format, 'codes.reversal')
}

function* listProblems(
  codes: readonly (readonly [member: string, code: string])[],
  { fields }: MessageFormat,
  at: string,
): Iterable<DialectProblem> {
  const lists = new Map<string, string>()
  const field = fields.get(39)
  for (const [member, code] of codes) {
    const other = lists.get(code)
    if (other !== undefined) yield { at: `${at}.${member}`, says: `holds ${code}, which ${at}.${other} holds too` }
    lists.set(code, member)
    if (field === undefined || !fitsWhole(field, code))
      yield { at: `${at}.${member}`, says: `holds ${code}, which cannot stand in field 39` }
  }
}

/** Whether a value needs no filling and is allowed. */
function fitsWhole(format: FieldFormat, value: string): boolean {
  if (value.length !== format.length) return false
  try {
    return packField(format, value).length > 0
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

function* securityProblems({ document, format, messages }: Checked): Iterable<DialectProblem> {
  const { mac, pin } = document
  if (mac !== undefined && mac.field !== 'auto' && !format.fields.has(Number(mac.field)))
    yield { at: 'mac.field', says: `names field ${mac.field}, which has no format` }
  const takesPin = Object.values(messages).some(({ fields }) => fields.some(({ oneOf }) => oneOf.includes(52)))
  if (takesPin && pin === undefined)
    yield { at: 'pin', says: 'is missing; messages with field 52 need a format and the name of a key' }
  if (pin !== undefined && !takesPin) yield { at: 'pin', says: 'is there, and no message has field 52' }
  const block = format.fields.get(52)
  const bytes = pin?.format === 'iso4' ? 16 : 8
  if (pin !== undefined && takesPin && (block?.length !== bytes || block.type !== 'b'))
    yield { at: 'fields.52', says: `must be of type b with ${bytes} bytes for a PIN block of format ${pin.format}` }
}

function* timerProblems({ document }: Checked): Iterable<DialectProblem> {
  const { repeatsMs } = document.timers
  const falls = repeatsMs.findIndex((pause, index) => index > 0 && pause < (repeatsMs[index - 1] ?? 0))
  if (falls > 0) yield { at: `timers.repeatsMs[${falls}]`, says: 'is shorter than the pause before it' }
}

function* exampleProblems({ document, format, messages }: Checked): Iterable<DialectProblem> {
  for (const [index, { of, hex, fields = {} }] of document.examples.entries()) {
    const at = `examples[${index}]`
    const message = messages[of]
    if (message === undefined) {
      yield { at: `${at}.of`, says: `names ${of}, which is no message here` }
      continue
    }
    yield* exampleFaults({ message, hex, fields: fields as Readonly<Record<string, string>> }, format, at)
  }
}

interface Example {
  readonly message: DialectMessage
  readonly hex: string
  readonly fields: Readonly<Record<string, string>>
}

function* exampleFaults(
  { message, hex, fields }: Example,
  format: MessageFormat,
  at: string,
): Iterable<DialectProblem> {
  const bytes = Buffer.from(hex, 'hex')
  try {
    const unpacked = unpackMessage(format, bytes)
    const types = [message.mti, message.repeat, message.answer ?? answerTypeOf(message.mti)]
    if (!types.includes(unpacked.mti))
      yield {
        at: `${at}.hex`,
        says: `is a message of type ${unpacked.mti}, not one of ${types.filter(Boolean).join(', ')}`,
      }
    if (!bytes.equals(packMessage(format, unpacked))) yield { at: `${at}.hex`, says: 'is not what is packed again' }
    for (const [number, value] of Object.entries(fields))
      if (unpacked.fields[Number(number)] !== value)
        yield { at: `${at}.fields.${number}`, says: 'is not the value of this field in hex' }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    yield { at: `${at}.hex`, says: `cannot be read: ${error.message.replace(/\.$/, '')}` }
  }
}

/** Fields of the standard that the document gives another format, or none. */
export function changedFields({ standard, fields }: DialectDocument): readonly number[] {
  const numbers = Object.keys(fields).map(Number)
  return numbers.filter(number => BASE_FIELDS[standard][number] !== undefined || fields[`${number}`] !== null)
}
