// test/recorded/naming.test.ts — equal random values get equal names; all other values stay.
import { deepEqual, equal, notDeepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { type Json, printed } from './json.ts'
import { named } from './naming.ts'

const ONE = '11111111-1111-4111-8111-111111111111'
const TWO = '22222222-2222-4222-8222-222222222222'

test('ids are named in order of first appearance, at any position', () => {
  deepEqual(named([{ exchange: `GET /a/${TWO}`, answer: { body: { id: ONE, location: `http://h/${TWO}` } } }]), [
    { exchange: 'GET /a/<id 2>', answer: { body: { id: '<id 1>', location: 'http://h/<id 2>' } } },
  ])
})

test('transcripts with different ids are equal, unless one id stands for two', () => {
  const transcript = (first: string, second: string): readonly Json[] => [{ a: first }, { b: second }, { c: first }]
  deepEqual(named(transcript(ONE, TWO)), named(transcript(TWO, ONE)))
  notDeepEqual(named(transcript(ONE, ONE)), named(transcript(ONE, TWO)))
})

test('the order of keys does not matter', () => {
  deepEqual(named([{ x: ONE, y: TWO }]), named([{ y: TWO, x: ONE }]))
})

test('codes known only by their key are also named inside texts', () => {
  deepEqual(named([{ authCode: 'AB12C3', line: 'AUTH CODE AB12C3', other: 'XAB12C3' }]), [
    { authCode: '<auth code 1>', line: 'AUTH CODE <auth code 1>', other: 'XAB12C3' },
  ])
})

test('sentences, paths, amounts, times and upper-case names stay', () => {
  const plain = {
    path: 'http://pay.example/pac/terminals/VCMDEMOSIP0/transactions/none',
    notification: 'SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED',
    at: '2026-05-06T13:03:27.000Z',
    amount: 2599,
    says: 'The terminal does not take that key now.',
  }
  deepEqual(named([plain]), [plain])
})

test('a recording reads back as it was written', () => {
  const value = { short: [1, 'a', null], long: Array.from({ length: 40 }, (_, index) => ({ index, text: 'x\n  "y"' })) }
  deepEqual(JSON.parse(printed(value)), value)
  equal(printed({ a: [] }), '{ "a": [] }')
})
