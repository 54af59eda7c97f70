// test/unit/acquirers/iso8583/dialect.test.ts — case 65: what is wrong with a dialect document is found when it is read.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../../../src/acquirers/iso8583/built-in.ts'
import { readDialect } from '../../../../src/acquirers/iso8583/dialect.ts'
import { changedFields } from '../../../../src/acquirers/iso8583/dialect-checks.ts'
import {
  codesByMember,
  meaningOfCode,
  meaningText,
  REVERSAL_CODES,
} from '../../../../src/acquirers/iso8583/response-codes.ts'
import { readStrictly, sentenceOf } from '../../../../src/api/read/strict-document.ts'
import { builtIn } from './formats.ts'

/** Deep changes: members replace those of the document, undefined removes one. */
type Changes = { readonly [member: string]: unknown }

function changed(document: unknown, changes: Changes): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>
  for (const [member, change] of Object.entries(changes)) {
    const isObject = typeof change === 'object' && change !== null && !Array.isArray(change)
    if (change === undefined) delete copy[member]
    else copy[member] = isObject ? changed(copy[member] ?? {}, change as Changes) : change
  }
  return copy
}

function problemsOf(changes: Changes, name = 'plain-87-ascii'): readonly string[] {
  const read = readDialect(changed(BUILT_IN_DIALECTS[name], changes), readStrictly)
  return 'problems' in read ? read.problems.map(sentenceOf) : []
}

test.each(Object.keys(BUILT_IN_DIALECTS))('%s is valid, has examples and knows its own name', name => {
  const { document, messages, codes } = builtIn(name)
  equal(document.name, name)
  ok(document.examples.length >= 2)
  ok(messages.charge !== undefined && messages.reverse !== undefined)
  equal(meaningOfCode(codes, document.standard === '1987' ? '00' : '000').answer, 'approved')
})

describe('case 65: faults of a document are found, each at its place', () => {
  test.each<readonly [what: string, changes: Changes, problem: RegExp]>([
    [
      'a field without a source',
      { settings: [32, 41, 42, 43] },
      /^messages\.charge\.fields needs field 18, for which there is no value/,
    ],
    [
      'an unknown word in codes',
      { codes: { declined: { no_money: ['51'] } } },
      /^codes\.declined\.no_money is unknown; allowed are do_not_honour/,
    ],
    [
      'a code in two lists',
      { codes: { approved: ['00', '65'], declined: { do_not_honour: ['65'] } } },
      /^codes\.declined\.do_not_honour holds 65, which codes\.approved holds too\./,
    ],
    [
      'a code twice in a list',
      { codes: { wait: ['09', '09'] } },
      /^codes\.wait holds 09, which codes\.wait holds too\./,
    ],
    [
      'a code that cannot be in field 39',
      { codes: { approved: ['000'] } },
      /^codes\.approved holds 000, which cannot stand in field 39\./,
    ],
    [
      'codes of reversals in two lists',
      { codes: { reversal: { done: ['00'], alreadyDone: ['00'], notFound: [], retry: [], refused: [] } } },
      /^codes\.reversal\.alreadyDone holds 00/,
    ],
    [
      'an example that cannot be read',
      { examples: [{ of: 'echo', hex: '0800' }] },
      /^examples\[0\]\.hex cannot be read: The message type at byte 0: is cut off/,
    ],
    [
      'an example of another message',
      { examples: [{ of: 'charge', hex: '3038303030303030303030303030303030303030' }] },
      /^examples\[0\]\.hex is a message of type 0800, not one of 0200, 0210\./,
    ],
    [
      'an example with another value',
      {
        examples: [
          { of: 'echo', hex: '3038303030303230303030303030303030303030303030303031', fields: { '11': '000002' } },
        ],
      },
      /^examples\[0\]\.fields\.11 is not the value of this field in hex\./,
    ],
    [
      'an example that packs to other bytes',
      { alwaysSecondary: true },
      /^examples\[0\]\.hex|^examples\[1\]\.hex is not what is packed again/,
    ],
    [
      'an example of no message',
      { messages: { signOff: undefined }, examples: [{ of: 'signOff', hex: '30383030' }] },
      /^examples\[0\]\.of names signOff, which is no message here/,
    ],
    ['a misspelt member', { bitmpa: 'hex' }, /^bitmpa is unknown; allowed are name, title/],
    ['a missing member', { mti: undefined }, /^mti is missing; it must be one of ascii, bcd, ebcdic\./],
    ['an unknown packing', { bitmap: 'octal' }, /^bitmap must be one of raw, hex, hex-ebcdic, not "octal"\./],
    [
      'a packing that a type cannot have',
      { fields: { '41': { as: 'bcd' } } },
      /^fields\.41\.as must be one of ascii, ebcdic for type ans, not bcd\./,
    ],
    ['length and max', { fields: { '48': { length: 3, max: 5 } } }, /^fields\.48 has both length and max/],
    [
      'a length of length that is not described',
      { fields: { '48': { max: 9999 } } },
      /^fields\.48 needs a length of the kind llll, which defaults\.llll/,
    ],
    [
      'a length before a fixed field',
      { fields: { '41': { prefix: 'll' } } },
      /^fields\.41\.prefix belongs to fields with max/,
    ],
    ['a variable signed amount', { fields: { '28': { max: 8 } } }, /^fields\.28 must have a length/],
    [
      'tags in text',
      { fields: { '63': { type: 'ans', max: 99, tlv: 'ber' } } },
      /^fields\.63 must be of type b with max/,
    ],
    [
      'two structures',
      { fields: { '63': { type: 'b', max: 99, tlv: 'ber', parts: ['all:99'] } } },
      /^fields\.63 has more than one of parts, tlv and nested/,
    ],
    [
      'repeated without parts',
      { fields: { '63': { repeated: true } } },
      /^fields\.63\.repeated belongs to fields with parts/,
    ],
    [
      'a nested field without a type',
      { fields: { '127': { type: 'b', max: 999, nested: { bitmap: 'raw', fields: { '3': { max: 9 } } } } } },
      /^fields\.127\.nested\.fields\.3 must have a type/,
    ],
    [
      'a field that is not there',
      { fields: { '18': null } },
      /^messages\.charge\.fields holds field 18, which has no format/,
    ],
    [
      'a word that is no field',
      { messages: { charge: { fields: '2 3 x4' } } },
      /^messages\.charge\.fields holds "x4"; a field is written as/,
    ],
    [
      'a field twice',
      { messages: { signOn: { fields: '7 11 11 41 70' } } },
      /^messages\.signOn\.fields holds field 11 twice/,
    ],
    [
      'a MAC among the fields',
      { messages: { signOn: { fields: '7 11 41 70 128' } } },
      /^messages\.signOn\.fields must not hold 64 or 128/,
    ],
    [
      'a value that does not fit',
      { messages: { signOn: { set: { '70': '1000' } } } },
      /^messages\.signOn\.set\.70 cannot be sent: Field 70: is longer than 3, with 4\./,
    ],
    [
      'a type of another standard',
      { messages: { charge: { mti: '1200' } } },
      /^messages\.charge\.mti must begin with 0, the digit of 1987, not 1200/,
    ],
    ['a type that is an answer', { messages: { charge: { mti: '0210' } } }, /^messages\.charge\.mti must be a request/],
    [
      'a wrong repetition',
      { messages: { reverse: { repeat: '0401' } } },
      /^messages\.reverse\.repeat must be 0421, the repetition of 0420, not 0401/,
    ],
    [
      'a message like itself',
      { messages: { hold: { like: 'refund' }, refund: { like: 'hold' } } },
      /^messages\.hold\.like leads back to itself/,
    ],
    [
      'a message like none',
      { messages: { verify: { like: 'upload' } } },
      /^messages\.verify\.like names upload, which is no message here/,
    ],
    ['no audit number in the key', { identity: { match: [41] } }, /^identity\.match must hold 11/],
    [
      'a key field that is not always sent',
      { identity: { match: [11, 14] } },
      /^identity\.match holds field 14, which messages\.charge does not always send/,
    ],
    [
      'a setting without a format',
      { fields: { '33': null }, settings: [18, 32, 33, 41, 42, 43] },
      /^settings holds field 33, which has no format/,
    ],
    [
      'an entry mode that does not fit',
      { entryMode: { chip: '0511' } },
      /^entryMode\.chip cannot be sent: Field 22: is longer than 3/,
    ],
    ['a place without a sub-field', { proof: { eci: '63.04' } }, /^proof\.eci names 63\.04, and field 63 has no 04/],
    [
      'a place that is no field',
      { fields: { '60': null }, proof: { eci: '60' } },
      /^proof\.eci names field 60, which has no format/,
    ],
    [
      'a place in chip data that is no tag',
      { proof: { cavv: '55.9' } },
      /^proof\.cavv names 55\.9, and field 55 has no 9/,
    ],
    [
      'a total without a format',
      { fields: { '74': null } },
      /reconciliation\.refunds names field 74|messages\.reconcile\.fields holds field 74/,
    ],
    [
      'a total in a part that the field has not',
      { reconciliation: { sales: ['56.number', 88] } },
      /^reconciliation\.sales names 56\.number, and field 56 has no part number/,
    ],
    [
      'a total that is no part of a field with parts',
      { reconciliation: { sales: [90, 88] } },
      /^reconciliation\.sales must name a part of field 90, such as 90\.sales/,
    ],
    [
      'an upload without a reconciliation',
      { messages: { reconcile: undefined, upload: { mti: '0320', like: 'charge' } } },
      /^messages\.upload is there, and no message reconcile/,
    ],
    [
      'a reconciliation after an upload that is not there',
      { messages: { reconcileUploaded: { mti: '0500', like: 'reconcile' } } },
      /^messages\.reconcileUploaded is there, and no message upload/,
    ],
    [
      'cashback in a charge without additional amounts',
      { messages: { charge: { fields: '2|35 3 4 7 11 12 13 14? 18 22 23? 25 32 37 41 42 43 49 52? 55?' } } },
      /^cashback is there, and messages\.charge has no field 54/,
    ],
    ['field 52 without a PIN format', { pin: undefined }, /^pin is missing; messages with field 52/],
    ['a PIN block of the wrong size', { pin: { format: 'iso4' } }, /^fields\.52 must be of type b with 16 bytes/],
    [
      'a MAC in a field that is not there',
      {
        fields: { '64': null },
        mac: { field: '64', algorithm: 'retail', bytes: 8, from: 'mti', padding: 'zeros', key: 'k' },
      },
      /^mac\.field names field 64/,
    ],
    [
      'pauses that become shorter',
      { timers: { repeatsMs: [0, 60000, 30000] } },
      /^timers\.repeatsMs\[2\] is shorter than the pause before it/,
    ],
    [
      'a time-out of zero',
      { timers: { answerMs: 0 } },
      /^timers\.answerMs must be a whole number from 1 to 3600000, not 0/,
    ],
    [
      'a header that is no TPDU',
      { framing: { header: { bytes: '6000', answer: 'swap' } } },
      /^framing\.header\.bytes must have 5 bytes/,
    ],
  ])('%s', (_, changes, problem) => {
    const problems = problemsOf(changes)
    ok(
      problems.some(each => problem.test(each)),
      problems.join('\n') || 'no problem was found',
    )
  })

  test.each([2, 34, 35, 36, 45, 52, 102, 103])('field %i, which holds data of the card, cannot be opened', number => {
    const problem = `fields.${number}.show must not be plain: the field holds data of the card.`
    deepEqual(problemsOf({ fields: { [number]: { show: 'plain' } } }), [problem])
    deepEqual(problemsOf({ fields: { [number]: { show: 'hidden' } } }), [])
  })

  test('a security code that would be shown', () => {
    const fields = { '60': { show: 'plain' } }
    match(
      problemsOf({ fields, proof: { securityCode: '60' } }).join(),
      /^proof\.securityCode names 60, which would be shown/,
    )
    deepEqual(problemsOf({ proof: { securityCode: '60' } }), [])
    match(
      problemsOf({ fields: { '63': { secret: ['12'] } } }, 'host-93').join(),
      /^proof\.securityCode names 63\.02, which would be shown: list it in fields\.63\.secret/,
    )
  })

  test('an end of text is refused beside BCD and raw data', () => {
    match(problemsOf({ framing: { length: 'etx' } }, 'pos-87-bcd').join('\n'), /^framing\.length must not be etx/)
    deepEqual(problemsOf({ framing: { length: 'etx' } }), [])
  })

  test('a PIN format without a PIN', () => {
    const messages = { charge: { fields: '2|35 3 4 7 11 12 13 18 22 25 32 37 41 42 43 49 54?' } }
    deepEqual(problemsOf({ messages }), ['pin is there, and no message has field 52.'])
  })

  test('all of them at once', () => {
    const problems = problemsOf({ settings: [32, 41], identity: { match: [41] }, codes: { wait: ['00', '00'] } })
    ok(problems.length > 5, problems.join('\n'))
  })
})

describe('the document over the standard', () => {
  test('other formats, names and fields that are not used', () => {
    const fields = { '43': { length: 30, name: 'shop' }, '112': null, '7': { as: 'ebcdic' } }
    const read = readDialect(changed(BUILT_IN_DIALECTS['plain-87-ascii'], { fields, examples: [] }), readStrictly)
    ok('dialect' in read)
    const { format, document } = read.dialect
    deepEqual([format.fields.get(43)?.length, format.fields.get(43)?.name, format.fields.has(112)], [30, 'shop', false])
    equal(format.fields.get(7)?.as, 'ebcdic')
    deepEqual(changedFields(document), [7, 43, 112])
  })

  test('codes of the document win, and no list makes an approval of an unknown code', () => {
    const codes = { approved: ['08'], declined: { authentication_required: ['65'] }, ambiguous: ['91'] }
    const read = readDialect(changed(BUILT_IN_DIALECTS['plain-87-ascii'], { codes }), readStrictly)
    ok('dialect' in read)
    const meanings = read.dialect.codes
    const of = (code: string) => meaningText(meaningOfCode(meanings, code))
    deepEqual(['00', '08', '65', '91', '51', '85', 'ZZ', ''].map(of), [
      ...['approved', 'approved', 'declined: authentication_required', 'ambiguous', 'declined: insufficient_funds'],
      ...['approved for verify', 'declined: do_not_honour', 'declined: do_not_honour'],
    ])
    const approved = [...meanings].filter(([, { answer }]) => answer === 'approved').map(([code]) => code)
    deepEqual(approved.sort(), ['00', '08', '11', '16'])
  })

  test('no standard has a code in two lists', () => {
    for (const [standard, lists] of Object.entries(REVERSAL_CODES)) {
      const codes = Object.values(lists).flat()
      equal(new Set(codes).size, codes.length, standard)
    }
    for (const name of ['plain-87-ascii', 'host-93']) {
      const codes = codesByMember(builtIn(name).document.codes).map(([, code]) => code)
      equal(new Set(codes).size, codes.length)
    }
  })

  test('messages take over what they are like', () => {
    const { messages } = builtIn('plain-87-ascii')
    deepEqual(messages.verify?.set, { 3: '330000', 4: '000000000000' })
    deepEqual(messages.verify?.fields, messages.charge?.fields)
    deepEqual([messages.hold?.mti, messages.hold?.answer, messages.reverse?.repeat], ['0100', '0110', '0421'])
    deepEqual(messages.charge?.fields[0], { oneOf: [2, 35], isOptional: false })
  })
})
