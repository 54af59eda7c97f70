// test/recorded/naming.ts — replaces ids and other random values of a transcript by names.
import type { Json } from './json.ts'

/**
 * Values that are random by their form, at any position. A value keeps the kind under which it was first found; the first of
 * its kind is named `<kind 1>`.
 */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['signature', /(?<=v1,)[\w+/]{43}=/g],
  ['id', /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/g],
  ['jwt', /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g],
  ['pem', /-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----\n?/g],
  ['secret', /(?<![\w-])(?:whsec|tg|pm)_[\w+/=-]{16,}/g],
  ['message', /(?<![\w-])msg_[\w-]{8,}/g],
  ['hash', /(?<![\w+/=-])sha(?:256|384)-[\w+/=]{40,}/g],
  ['token', /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}={0,2}(?![\w=])/g],
  ['hex', /(?<![\w-])[0-9a-f]{32,64}(?![\w-])/g],
  ['reference', /(?<!\d)\d{22}(?!\d)/g],
  ['auth code', /(?<=AuthCode: )[A-Z0-9]{6}(?![A-Z0-9])/g],
  ['piece of an id', /(?<=recorded_)[0-9a-f]{8}(?![0-9a-f])/g],
  ['order', /(?<![\w-])H-[0-9A-F]{8}(?![\w-])/g],
  ['address', /(?<![\w.])127\.0\.0\.1:\d+/g],
]

/** Random values that only their key identifies. */
const KEYS: Readonly<Record<string, string>> = {
  authCode: 'auth code',
  reference: 'acquirer reference',
  acquirerReference: 'acquirer reference',
  etag: 'etag',
  account: 'account',
  keyId: 'key id',
  messageId: 'message id',
}

/** Hash in the name of a bundle, which depends on the build. */
const BUNDLE_HASH = /-[A-Z0-9]{8}(?=\.(?:js|css|svg)\b)/g

/** Values chosen by tests. */
const CHOSEN = /^(?:|demo|demo-eur|\*|W?\/?"[\w-]{0,8}")$/

/** The transcript with names for random values. Equal values have equal names. */
export function named(transcript: readonly Json[]): readonly Json[] {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const meet = (kind: string, value: string): void => {
    if (names.has(value) || CHOSEN.test(value)) return
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(value, `<${kind} ${count}>`)
  }
  for (const exchange of transcript) look(exchange, null, meet)
  const known = [...names.keys()].toSorted((a, b) => b.length - a.length)
  if (known.length === 0)
    return transcript.map(exchange => replaced(exchange, text => text.replace(BUNDLE_HASH, '-<hash>')))
  const any = new RegExp(`(?<![A-Za-z0-9])(?:${known.map(escaped).join('|')})(?![A-Za-z0-9])`, 'g')
  return transcript.map(exchange =>
    replaced(exchange, text => text.replace(any, value => names.get(value) ?? value).replace(BUNDLE_HASH, '-<hash>')),
  )
}

/**
 * Visits all random values in order. Members of an object are visited by name, because their order is not part of the
 * interface.
 */
function look(value: Json, key: string | null, meet: (kind: string, value: string) => void): void {
  if (typeof value === 'string') {
    const kind = key === null ? undefined : KEYS[key]
    if (kind !== undefined) meet(kind, value)
    else for (const [kind, found] of shapesIn(value)) meet(kind, found)
  } else if (Array.isArray(value)) {
    for (const each of value) look(each, key, meet)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value).toSorted()) {
      look(name, null, meet)
      look((value as Readonly<Record<string, Json>>)[name] ?? null, name, meet)
    }
  }
}

/** The random values in a text, in order. */
function shapesIn(text: string): readonly (readonly [string, string])[] {
  const found = SHAPES.flatMap(([kind, shape]) =>
    [...text.matchAll(shape)].map(match => ({
      kind,
      value: match[0],
      from: match.index,
      to: match.index + match[0].length,
    })),
  )
  const whole = found.filter(
    (each, index) =>
      !found.some(
        (other, at) =>
          other !== each &&
          other.from <= each.from &&
          each.to <= other.to &&
          (other.to - other.from > each.to - each.from || at < index),
      ),
  )
  return whole.toSorted((a, b) => a.from - b.from).map(({ kind, value }) => [kind, value])
}

function replaced(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(each => replaced(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [change(name), replaced(each, change)]))
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
