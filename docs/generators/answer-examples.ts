// docs/generators/answer-examples.ts — takes examples of answers from the recorded exchanges of real runs.
import { readdirSync, readFileSync } from 'node:fs'
import type { Operation } from '../../src/api/operation.ts'
import { operationsWith } from '../../src/api/operations/index.ts'
import { DEMO_OPERATIONS } from '../../src/demo-shop/operations.ts'
import { maskCardNumbers } from '../../src/domain/card-numbers.ts'
import { SIMULATOR_OPERATIONS } from '../../src/simulator/operations/index.ts'
import { inNewWords } from '../../test/recorded/reworded.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

interface Exchange {
  readonly exchange: string
  readonly answer?: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: Json
  }
}

const RECORDED = new URL('../../test/recorded/exchanges/', import.meta.url)
/** Longer lists show nothing new. */
const MOST_ITEMS = 2
/** Longest example, in characters. */
const LONGEST = 6_000

/** What stands for the named random values of a recording. */
const VALUES: Readonly<Record<string, (number: string) => string>> = {
  id: number => `6f0c1a52-3a0e-4b57-9a0d-${number.padStart(12, '0')}`,
  token: number => `kO2vWAz7SGm4Q8xJ1dLrT9eYbNcPfHuXo3iEaVt6B${number}`,
  hex: number => `5f0c1a523a0e4b579a0d5f6f2f2f${number.padStart(4, '0')}`,
  'auth code': number => `Q4R8T${number.slice(-1)}`,
  reference: number => `61${number.padStart(20, '0')}`,
  'acquirer reference': number => `A${number.padStart(11, '0')}`,
  etag: number => `"${number}"`,
  account: number => `test-${number}`,
  'key id': number => `0e9f7a52-9f2c-4c1e-8f57-${number.padStart(12, '0')}`,
  jwt: () => 'eyJ…',
  pem: () => '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  secret: () => 'whsec_…',
  message: number => `msg_5f0c1a523a0e4b579a0d5f6f2f2f${number.padStart(4, '0')}`,
  hash: () => 'sha384-…',
  signature: () => '…',
  order: number => `H-${number.padStart(8, '0')}`,
  address: () => '127.0.0.1:4030',
  'piece of an id': () => '6f0c1a52',
}

/** The file with the examples, as text. */
export function answerExamplesFile(): string {
  return `${JSON.stringify(answerExamples(), null, 2)}\n`
}

/** The richest recorded 2xx answer of each operation, by `operation status`. */
function answerExamples(): Readonly<Record<string, Json>> {
  const best = new Map<string, Json>()
  const patterns = operationsWith([...SIMULATOR_OPERATIONS, ...DEMO_OPERATIONS]).flatMap(patternsOf)
  for (const { exchange, answer } of recordedExchanges()) {
    const { status = 0, body, headers = {} } = answer ?? {}
    if (typeof body !== 'object' || body === null || /\.v[01]\+/.test(headers['content-type'] ?? '')) continue
    const example = shortened(body)
    for (const { key } of patterns.filter(each => each.status === status && each.exchange.test(exchange)))
      if (isBetter(example, best.get(key))) best.set(key, example)
  }
  return Object.fromEntries([...best].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** What polls end with is shown beside the written example of what is running. */
const POLLED = ['getTransaction', 'getReport']

/** A pattern of exchanges for each JSON answer of an operation that has no written example. */
function patternsOf({ name, method, path, responses }: Operation) {
  const address = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .filter(([, { schema, mediaType }]) => schema !== undefined && mediaType === undefined)
    .filter(([, { example }]) => example === undefined || POLLED.includes(name))
    .map(([status]) => ({
      key: `${name} ${status}`,
      status: Number(status),
      exchange: new RegExp(`^${method} ${address}(?:\\?.*)?$`),
    }))
}

function recordedExchanges(): readonly Exchange[] {
  const files = readdirSync(RECORDED).filter(name => name.endsWith('.json'))
  return files.flatMap(name =>
    Object.values(JSON.parse(readFileSync(new URL(name, RECORDED), 'utf8')) as Record<string, Exchange[]>).flat(),
  )
}

function isBetter(example: Json, than: Json | undefined): boolean {
  const text = JSON.stringify(example)
  if (text.length > LONGEST) return false
  if (than === undefined) return true
  const old = JSON.stringify(than)
  const [paid, wasPaid] = [isPaid(text), isPaid(old)]
  if (paid !== wasPaid) return paid
  const more = membersIn(example) - membersIn(than)
  return more > 0 || (more === 0 && text.length < old.length)
}

/** A transaction that ended well is shown rather than another. */
function isPaid(text: string): boolean {
  return text.includes('"transactionResult":"SUCCESSFUL"')
}

function membersIn(value: Json): number {
  const names = new Set<string>()
  JSON.stringify(value, (name, inner) => {
    if (name !== '') names.add(name)
    return inner
  })
  return names.size
}

function shortened(value: Json): Json {
  if (typeof value === 'string') return withValues(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    // Of a long list a recording has the first items and a text that counts the others.
    const list = (value as readonly Json[]).filter(each => !/^\d+ in all$/.test(String(each)))
    const objects = list.filter(each => typeof each === 'object')
    return (objects.length === 0 ? list : objects.slice(0, MOST_ITEMS)).map(shortened)
  }
  const members = Object.entries(value).map(([name, inner]) => [name, shortened(inner)])
  return { ...Object.fromEntries(members), ...addedTo(value as Readonly<Record<string, Json>>) }
}

/** Members that are newer than the recordings. */
function addedTo(object: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  if ('declineReason' in object && !('reason' in object)) return { reason: null }
  if ('verdict' in object && 'cancel' in object && !('totalMinor' in object))
    return { totalMinor: object['amountMinor'] ?? null, gratuityMinor: 0, cashbackMinor: 0, scheme: 'VISA' }
  if ('driver' in object && 'connected' in object && !('line' in object)) return { line: 'up', paper: 'in' }
  if ('paymentMethodDetails' in object && !('messageId' in object))
    return {
      gatewayMerchantId: 'demo',
      messageId: 'BlQOjcrf7KGUoRXUnhOPSAP3jMwnvyWN',
      messageExpiration: '1778076207000',
    }
  return {}
}

function withValues(text: string): string {
  return maskCardNumbers(inNewWords(text))
    .replaceAll(/<([a-z][a-z ]*?)(?: (\d+))?>/g, (whole, kind: string, number = '1') => VALUES[kind]?.(number) ?? whole)
    .replaceAll('<tag>', 'TEST')
    .replaceAll('http://pay.example', 'https://pay.example')
}
