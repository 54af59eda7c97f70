// test/unit/web/console-phone.test.ts — links to terminals in the console: the addresses for a phone, the terminal in a link, the QR code.
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { qrPathOf } from '../../../web/console/parts/qr-path.ts'
import { addressesOf, tidIn } from '../../../web/console/phone/link.ts'

const page = (host: string) => `http://${host}/console/terminal#a.b.c`
const linkTo = (url: string, ...addresses: string[]) => ({
  url: page(url),
  expiresAt: '',
  addresses: addresses.map(page),
})

describe('addresses for a phone', () => {
  test('are those that leave this machine, the best one first and each once', () => {
    const inNetwork = linkTo('192.168.1.20:4020', '192.168.1.20:4020', '10.0.0.7:4020')
    deepEqual(addressesOf(inNetwork), ['192.168.1.20:4020', '10.0.0.7:4020'].map(page))
    deepEqual(addressesOf(linkTo('pay.example')), [page('pay.example')])
    deepEqual(addressesOf(linkTo('localhost:4020', '10.0.0.7:4020')), [page('10.0.0.7:4020')])
  })

  test.each(['127.0.0.1:4020', 'localhost:4020', 'shop.localhost', '[::1]:4020', '127.8.8.8'])('%s is none', host => {
    deepEqual(addressesOf(linkTo(host)), [])
  })
})

describe('the terminal in a link', () => {
  test('is its second part', () => {
    for (const tid of ['22160001', 'VCMDEMOSIP0', 'Ärmel', '~~~???'])
      equal(tidIn(`ZGVtbw.${Buffer.from(tid).toString('base64url')}.c2VjcmV0`), tid)
  })

  test.each(['', 'a', 'a.b', 'a.b.c.d', '.YQ.', 'a.!.c', 'a._w.c', 'a.A.c', '#a.YQ.c'])('%j is no link', text => {
    equal(tidIn(text), null)
  })
})

describe('a QR code', () => {
  const isDarkAt = (path: string, x: number, y: number) => path.includes(`M${x} ${y}h1v1h-1z`)

  test('has its three corners, and nothing in the quiet zone', () => {
    const { size, dark: path } = qrPathOf(page('192.168.1.20:4020'))
    ok(size >= 21 + 8, String(size))
    const places = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].flatMap(([, x, y]) => [Number(x), Number(y)])
    equal(Math.min(...places), 4)
    equal(Math.max(...places), size - 5)
    const far = size - 4 - 7
    for (const [left, top] of [
      [4, 4],
      [far, 4],
      [4, far],
    ] as const)
      for (let step = 0; step < 7; step += 1) {
        ok(isDarkAt(path, left + step, top) && isDarkAt(path, left, top + step), `${left} ${top} ${step}`)
        const isInnerRing = step === 1 || step === 5
        equal(isDarkAt(path, left + step, top + 3), !isInnerRing, `${left} ${top} ${step}`)
      }
  })

  test('differs with its text', () => {
    notEqual(qrPathOf(page('10.0.0.1')).dark, qrPathOf(page('10.0.0.2')).dark)
  })
})
