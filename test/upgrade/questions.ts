// test/upgrade/questions.ts — sends the requests of the manifest and normalises the answers: times and ids that were made
// after the kill may differ from one take-over to the next.
import { basic } from '../support/till.ts'
import type { Credentials, Question } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'
import type { Answer, OpenedDirectory } from './program/opened-directory.ts'

/** What was there when the program was killed. */
export interface Known {
  /** By account, epoch milliseconds: later times were made after the kill. */
  readonly clocks: Readonly<Record<string, number>>
  readonly names: ReadonlySet<string>
}

/** UUIDs, hashes, tokens, cross references. */
const NAME = /[A-Za-z0-9_-]{20,}/g
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d| \+0000 UTC)?$/
/** As receipts print it. */
const PRINTED_TIME = /^(\d\d)\/(\d\d)\/(\d{4}) +(\d\d:\d\d:\d\d)$/

const CODES: ReadonlySet<string> = new Set(['authCode', 'reference', 'acquirerReference'])

/** @param records as they were at the kill */
export function knownFrom(
  records: readonly DecodedRecord[],
  clocks: Known['clocks'],
  tokens: readonly string[],
): Known {
  const names = new Set(tokens)
  for (const [name] of JSON.stringify(records).matchAll(NAME)) names.add(name)
  for (const code of codesIn(records)) names.add(code)
  return { clocks, names }
}

export interface Answered {
  readonly question: Question
  readonly status: number
  /** The body without what may differ. */
  readonly body: unknown
}

/** Asks one after the other; between them time may pass. */
export async function askAll(
  opened: OpenedDirectory,
  credentials: readonly Credentials[],
  questions: readonly Question[],
  known: Known,
): Promise<readonly Answered[]> {
  const answered: Answered[] = []
  for (const question of questions) {
    if (question.afterMs !== undefined) await opened.clock.advance(question.afterMs)
    const { status, text } = await askOne(opened, credentials, question)
    answered.push({ question, status, body: comparable(text, known, known.clocks[question.account] ?? 0) })
  }
  return answered
}

export async function askOne(
  opened: OpenedDirectory,
  credentials: readonly Credentials[],
  { account, by, method, path, body, headers = {} }: Question,
): Promise<Answer> {
  const of = credentials.find(each => each.account === account)
  if (of === undefined) throw new Error(`no credentials of ${account}`)
  const authorization = by === 'jwt' ? `Bearer ${of.jwt}` : basic(of.apiKey)
  return opened.ask(method, path, { authorization, ...headers }, body)
}

/** The answer with placeholders for what may differ. */
function comparable(text: string, known: Known, since: number): unknown {
  if (!/^[[{]/.test(text)) return text
  const body: unknown = JSON.parse(text)
  // Receipts print authorisation codes inside their lines.
  const fresh = [...codesIn(body)].filter(code => !known.names.has(code))
  const words = (said: string) =>
    fresh
      .reduce((left, code) => left.replaceAll(code, '<new code>'), said)
      .replaceAll(NAME, name => (known.names.has(name) || !/\d/.test(name) ? name : '<new>'))
  const isLater = (said: string) => (timeIn(said) ?? 0) >= since - 1_000
  const strike = (value: unknown, name = ''): unknown => {
    if (name === 'cursor') return '<cursor>'
    if (typeof value === 'number') return value >= since && value < since * 2 ? '<later>' : value
    if (typeof value === 'string') return isLater(value) ? '<later>' : words(value)
    if (Array.isArray(value)) return value.map(each => strike(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, strike(each, member)]))
  }
  return strike(body)
}

/** To the second; null: it is no time. The accounts keep the time of London and Dublin, which in winter is UTC. */
function timeIn(said: string): number | null {
  const [, day, time, zone = 'Z'] = TIME.exec(said) ?? []
  if (day !== undefined) return Date.parse(`${day}T${time}${zone.startsWith(' ') ? 'Z' : zone}`)
  const [, dayOfMonth, month, year, printed] = PRINTED_TIME.exec(said) ?? []
  return printed === undefined ? null : Date.parse(`${year}-${month}-${dayOfMonth}T${printed}Z`)
}

/** Every code and reference of an acquirer in a value. */
function codesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, each] of Object.entries(value)) {
    if (CODES.has(name) && typeof each === 'string' && each.length > 3) found.add(each)
    else codesIn(each, found)
  }
  return found
}
