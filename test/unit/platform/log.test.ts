// test/unit/platform/log.test.ts — the contents of log lines, and redaction.
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { type LogOptions, openLog } from '../../../src/platform/log.ts'

const CARD = '4111111111111111'

function logTo(options: Partial<LogOptions> & { isTTY?: boolean } = {}) {
  const written: string[] = []
  const stream = { isTTY: options.isTTY ?? false, write: (line: string) => written.push(line) }
  const log = openLog({ level: 'info', format: 'json', ...options, stream })
  return { log, written, last: () => JSON.parse(written.at(-1) ?? '') as Record<string, unknown> }
}

test('a line is one JSON object with level, time, fields and message, and without process id and host', () => {
  const { log, written, last } = logTo()
  log.info({ requestId: 'r1', outcome: 'SUCCESSFUL' }, 'transaction finished')
  equal(written.length, 1)
  const { time, ...rest } = last()
  match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  deepEqual(rest, { level: 'info', requestId: 'r1', outcome: 'SUCCESSFUL', msg: 'transaction finished' })
})

test('lines below the level are not written', () => {
  const { log, written } = logTo({ level: 'warn' })
  log.info({}, 'quiet')
  log.warn({}, 'said')
  log.error({}, 'said')
  equal(written.length, 2)
  const silent = logTo({ level: 'silent' })
  silent.log.error({}, 'quiet')
  equal(silent.written.length, 0)
})

const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  'token',
  'accessToken',
  'access_token',
  'tokens',
  'key',
  'apiKey',
  'x-api-key',
  'pan',
  'cardNumber',
  'primaryAccountNumber',
  'securityCode',
  'cvv',
  'password',
  'clientSecret',
  'set-cookie',
]
test.each(SECRET_FIELDS)('the field %s is redacted at any depth', name => {
  const { log, written } = logTo()
  log.info({ [name]: 's3cr3t', inner: { list: [{ [name]: 's3cr3t' }, { [name]: { raw: 's3cr3t' } }] } }, 'said')
  doesNotMatch(written.join(''), /s3cr3t/)
})

test('fields whose names only resemble a secret are not redacted', () => {
  const { log, last } = logTo()
  log.info({ keyedLimit: 'a', tokenCount: 'b', company: 'c', monkey: 'd', panel: 'e' }, 'said')
  const { keyedLimit, tokenCount, company, monkey, panel } = last()
  deepEqual(
    { keyedLimit, tokenCount, company, monkey, panel },
    { keyedLimit: 'a', tokenCount: 'b', company: 'c', monkey: 'd', panel: 'e' },
  )
})

const PLACES: readonly [string, Record<string, unknown>, string][] = [
  ['a message', {}, `card ${CARD} seen`],
  ['a text', { note: `card ${CARD}.` }, 'said'],
  ['a text in groups', { note: '4111 1111 1111 1111 and 4111-1111-1111-1111' }, 'said'],
  ['a number', { note: Number(CARD) }, 'said'],
  ['a list', { notes: ['a', CARD] }, 'said'],
  ['an error', { err: new Error(`no ${CARD}`) }, 'said'],
  ['the cause of an error', { err: new Error('outer', { cause: new Error(`no ${CARD}`) }) }, 'said'],
  ['an address', { url: `/v1/cards/${CARD}` }, 'said'],
]
test.each(PLACES)('a card number in %s is redacted', (_place, fields, message) => {
  const { log, written } = logTo()
  log.error(fields, message)
  doesNotMatch(written.join(''), /1111/)
  match(written.join(''), /\[redacted\]/)
})

test('an Authorization header in a text is redacted', () => {
  const { log, written } = logTo()
  log.info({ note: 'sent Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc' }, 'sent Basic ZGVtbzpkZW1v')
  doesNotMatch(written.join(''), /eyJ|ZGVtb/)
})

test('a JWT in a text is redacted, also without a scheme in front', () => {
  const { log, written } = logTo()
  log.info({ note: 'header eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.abc-_1, by somebody' }, 'eyJhbGciOiJub25lIn0.e30.')
  doesNotMatch(written.join(''), /eyJ|e30|abc/)
  match(written.join(''), /by somebody/)
})

test('ids, times and other long numbers are not redacted', () => {
  const { log, last } = logTo()
  const fields = { requestId: '12345678-1234-4567-8901-123456789012', at: 1_764_288_000_003, count: '4111111111111112' }
  log.info(fields, 'said')
  const { requestId, at, count } = last()
  deepEqual({ requestId, at, count }, fields)
})

test('a URL is logged without its query string', () => {
  const { log, last } = logTo()
  log.info({ url: '/pac/terminals?key=abc', location: new URL('http://shop.example/a?b=c') }, 'said')
  equal(last()['url'], '/pac/terminals')
  equal(last()['location'], 'http://shop.example/a')
})

test('bytes, circular objects and big integers can be logged', () => {
  const { log, last } = logTo()
  const circle: Record<string, unknown> = { bytes: new Uint8Array(32), big: 10n }
  circle['self'] = circle
  log.info(circle, 'said')
  equal(last()['bytes'], '[32 bytes]')
  equal(last()['big'], '10')
})

test('an error keeps its type, message and stack', () => {
  const { log, last } = logTo()
  log.error({ err: new TypeError('broken') }, 'said')
  const err = last()['err'] as Record<string, unknown>
  equal(err['type'], 'TypeError')
  equal(err['message'], 'broken')
  match(String(err['stack']), /log\.test/)
})

test('a terminal gets short lines, a pipe gets JSON, unless the format is named', () => {
  const line = (options: Parameters<typeof logTo>[0]) => {
    const { log, written } = logTo(options)
    log.warn({ tid: '22160001', note: 'two words' }, 'terminal lost')
    return written.join('')
  }
  match(
    line({ format: 'auto', isTTY: true }),
    /^\d\d:\d\d:\d\d\.\d{3} WARN terminal lost tid=22160001 note="two words"\n$/,
  )
  match(line({ format: 'pretty', isTTY: false }), /WARN terminal lost/)
  match(line({ format: 'auto', isTTY: false }), /^\{"level":"warn"/)
  match(line({ format: 'json', isTTY: true }), /^\{"level":"warn"/)
})

test('a short line shows the stack of an error below it', () => {
  const { log, written } = logTo({ format: 'pretty' })
  log.error({ err: new Error('broken') }, 'said')
  match(written.join(''), /ERROR said err="broken"\nError: broken\n +at /)
})
