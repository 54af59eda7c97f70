// src/peers/acquirer-host/dialect.ts — what the host reads out of a dialect: packing, framing, and how its messages are told apart.
import type { DeclineReason } from './answers.ts'
import type { Fields, Message } from './codec.ts'
import { arrayOf, type Members, numberOf, oneOf, optional, recordOf, textIn } from './document-members.ts'
import { type Framing, framingIn } from './framing.ts'
import { type ListedField, listedFields, type Packing, packingIn } from './packing.ts'

/** Messages that a dialect describes. */
export const MESSAGE_NAMES = [
  ...(['charge', 'hold', 'capture', 'refund', 'verify', 'reverse', 'reconcile', 'upload'] as const),
  ...(['signOn', 'signOff', 'echo'] as const),
] as const
export type MessageName = (typeof MESSAGE_NAMES)[number]

export interface MessageForm {
  readonly name: MessageName
  readonly mti: string
  readonly fields: readonly ListedField[]
  /** Values that are always the same. */
  readonly set: Fields
}

/** Characters of a field. */
export interface Place {
  readonly field: number
  readonly from: number
  readonly size: number
  /** Characters of the whole field. */
  readonly of: number
}

/** Places of number and amount for each sum of a reconciliation. */
export interface TotalsPlaces {
  readonly sales: readonly Place[]
  readonly refunds: readonly Place[]
  /** Null when what was undone is in no sum. */
  readonly salesUndone: readonly Place[] | null
  readonly refundsUndone: readonly Place[] | null
  readonly net: number | null
}

export interface MacForm {
  readonly algorithm: 'retail' | 'cbc' | 'cmac-aes' | 'x9.9'
  readonly bytes: number
  readonly padding: 'zeros' | '80'
}

export interface Dialect {
  readonly name: string
  readonly packing: Packing
  readonly framing: Framing
  readonly messages: readonly MessageForm[]
  /** Fields that an answer repeats, if the request has them. */
  readonly echoed: readonly number[]
  /** The host assigns field 37. */
  readonly assignsReference: boolean
  readonly totals: TotalsPlaces | null
  readonly mac: MacForm | null
  /** Response codes of this acquirer by what they mean. */
  readonly codes: ReadonlyMap<DeclineReason, string>
}

/** Fields that every answer repeats: amounts, numbers, times, parties. */
const ECHOED = [3, 4, 7, 11, 12, 32, 41, 42, 49]
/** Fields of 1987 and of 1993 only: local date, network; transport data. */
const ECHOED_BY = { '1987': [13, 24, 70], '1993': [59] } as const
/** Fields whose fixed values tell messages of one type apart. */
const TELLING = [24, 25, 70]

/** Reads a dialect document. @throws Error with the place of what cannot be read */
export function dialectIn(document: unknown): Dialect {
  const dialect = recordOf(document, '')
  const packing = packingIn(document)
  const identity = recordOf(dialect['identity'] ?? {}, 'identity')
  const own = [...fieldNumbers(identity, 'match'), ...fieldNumbers(identity, 'echo')]
  const { name } = dialect
  if (typeof name !== 'string') throw new Error('name must be a text.')
  return {
    ...{ name, packing, framing: framingIn(document), messages: messagesIn(dialect['messages']) },
    echoed: [...new Set([...ECHOED, ...ECHOED_BY[packing.standard], ...own])],
    assignsReference: identity['rrn'] === 'host',
    totals: dialect['reconciliation'] === undefined ? null : totalsIn(dialect, packing),
    mac: dialect['mac'] === undefined ? null : macIn(dialect['mac']),
    codes: codesIn(dialect['codes']),
  }
}

/** Third digit of the last digit: a repeat is the message that it repeats. */
const ORIGINS = '0022446689'

/** The message type of what a repeat repeats: 0421 → 0420. */
export function unrepeated(mti: string): string {
  return mti.slice(0, 3) + ORIGINS.charAt(Number(mti.charAt(3)))
}

/** The form of a message. Null when the dialect has none with its type, processing code and fixed values. */
export function formOf({ mti, fields }: Message, { messages }: Dialect): MessageForm | null {
  const type = unrepeated(mti)
  const fits = messages.filter(form => form.mti === type && isLike(fields, form))
  return fits.toSorted((one, other) => Object.keys(other.set).length - Object.keys(one.set).length)[0] ?? null
}

/** The first fields of a form that a message lacks, as one number; null when nothing is missing. */
export function missingField(fields: Fields, form: MessageForm): number | null {
  const missing = form.fields.find(
    listed => !listed.isOptional && listed.oneOf.every(each => fields[each] === undefined),
  )
  return missing?.oneOf[0] ?? null
}

function isLike(fields: Fields, { name, set }: MessageForm): boolean {
  if (name === 'reverse' || name === 'reconcile' || name === 'upload') return true
  const telling = TELLING.every(number => set[number] === undefined || set[number] === fields[number])
  // Accounts follow the two digits of the kind.
  return telling && (set[3] === undefined || fields[3]?.slice(0, 2) === set[3].slice(0, 2))
}

function messagesIn(document: unknown): readonly MessageForm[] {
  const messages = recordOf(document, 'messages')
  return MESSAGE_NAMES.filter(name => messages[name] !== undefined).map(name => {
    const at = `messages.${name}`
    const own = recordOf(messages[name], at)
    const like =
      own['like'] === undefined ? {} : recordOf(messages[String(own['like'])], `messages.${String(own['like'])}`)
    const { mti } = own
    if (typeof mti !== 'string' || !/^\d{4}$/.test(mti)) throw new Error(`${at}.mti must be four digits.`)
    const fields = own['fields'] ?? like['fields']
    return {
      ...{ name, mti, fields: fields === undefined ? [] : listedFields(fields, `${at}.fields`) },
      set: { ...valuesIn(like['set'], at), ...valuesIn(own['set'], at) },
    }
  })
}

function valuesIn(document: unknown, at: string): Fields {
  const entries = Object.entries(recordOf(document ?? {}, `${at}.set`))
  return Object.fromEntries(entries.map(([number, value]) => [Number(number), String(value)]))
}

function fieldNumbers(members: Members, name: string): readonly number[] {
  return members[name] === undefined ? [] : arrayOf(members[name], `identity.${name}`).map(Number)
}

function totalsIn(dialect: Members, packing: Packing): TotalsPlaces {
  const totals = recordOf(dialect['reconciliation'], 'reconciliation')
  const fields = recordOf(dialect['fields'] ?? {}, 'fields')
  const pair = (name: string) =>
    arrayOf(totals[name], `reconciliation.${name}`).map(place => placeIn(String(place), fields, packing))
  return {
    ...{ sales: pair('sales'), refunds: pair('refunds') },
    salesUndone: totals['salesUndone'] === undefined ? null : pair('salesUndone'),
    refundsUndone: totals['refundsUndone'] === undefined ? null : pair('refundsUndone'),
    net: totals['net'] === undefined ? null : numberOf(totals, 'net', 'reconciliation'),
  }
}

/** Reads `76`, a field, or `63.sales`, a part of one. */
function placeIn(text: string, fields: Members, packing: Packing): Place {
  const [number = '', part] = text.split('.')
  const field = Number(number)
  const whole = packing.fields.get(field)?.size ?? 0
  if (part === undefined) return { field, from: 0, size: whole, of: whole }
  const at = `fields.${number}.parts`
  let from = 0
  let found: { readonly from: number; readonly size: number } | null = null
  for (const each of arrayOf(recordOf(fields[number], `fields.${number}`)['parts'], at)) {
    const [, name, length] = /^(\w+):(\d+)$/.exec(String(each)) ?? []
    if (length === undefined) throw new Error(`${at} holds ${textIn(each)}, which has no fixed place.`)
    if (name === part) found = { from, size: Number(length) }
    from += Number(length)
  }
  if (found === null) throw new Error(`${at} has no ${part}.`)
  return { field, ...found, of: from }
}

function macIn(document: unknown): MacForm {
  const mac = recordOf(document, 'mac')
  return {
    algorithm: oneOf(mac, 'algorithm', ['retail', 'cbc', 'cmac-aes', 'x9.9'], 'mac'),
    bytes: numberOf(mac, 'bytes', 'mac'),
    padding: optional(mac, 'padding', ['zeros', '80'], 'mac') ?? 'zeros',
  }
}

/** The first code of each reason. */
function codesIn(document: unknown): ReadonlyMap<DeclineReason, string> {
  const { declined = {} } = recordOf(document ?? {}, 'codes')
  const entries = Object.entries(recordOf(declined, 'codes.declined')).map(([reason, codes]) => {
    const [first] = arrayOf(codes, `codes.declined.${reason}`)
    return [reason as DeclineReason, String(first ?? '')] as const
  })
  return new Map(entries.filter(([, code]) => code !== ''))
}
