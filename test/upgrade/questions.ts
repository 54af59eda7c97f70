// test/upgrade/questions.ts — sends the requests of the manifest and normalises the answers: times and ids created after the
// kill differ between take-overs.
import { basic } from '../support/till.ts'
import type { Credentials, Question } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'
import type { Answer, OpenedDirectory } from './program/opened-directory.ts'

/** Values that existed at the kill. */
export interface Known {
  /** By account, epoch milliseconds. Later times were created after the kill. */
  readonly clocks: Readonly<Record<string, number>>
  readonly names: ReadonlySet<string>
}

/** UUIDs, hashes, tokens, cross references. */
const NAME = /[A-Za-z0-9_-]{20,}/g
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d| \+0000 UTC)?$/
/** As on receipts. */
const PRINTED_TIME = /^(\d\d)\/(\d\d)\/(\d{4}) +(\d\d:\d\d:\d\d)$/

const CODES: ReadonlySet<string> = new Set(['authCode', 'reference', 'acquirerReference'])

/** @param records as of the kill */
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
  /** The body without values that may differ. */
  readonly body: unknown
}

/** Sends the requests in order, advancing time where they say so. */
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

/** The answer with placeholders for values that may differ. */
function comparable(text: string, known: Known, since: number): unknown {
  if (!/^[[{]/.test(text)) return text
  const body: unknown = JSON.parse(text)
  // Authorisation codes also occur inside receipt lines.
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

/** Parses a time, to the second; null for other text. The accounts are in London and Dublin, which use UTC in winter. */
function timeIn(said: string): number | null {
  const [, day, time, zone = 'Z'] = TIME.exec(said) ?? []
  if (day !== undefined) return Date.parse(`${day}T${time}${zone.startsWith(' ') ? 'Z' : zone}`)
  const [, dayOfMonth, month, year, printed] = PRINTED_TIME.exec(said) ?? []
  return printed === undefined ? null : Date.parse(`${year}-${month}-${dayOfMonth}T${printed}Z`)
}

/** All acquirer codes and references in a value. */
function codesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, each] of Object.entries(value)) {
    if (CODES.has(name) && typeof each === 'string' && each.length > 3) found.add(each)
    else codesIn(each, found)
  }
  return found
}
