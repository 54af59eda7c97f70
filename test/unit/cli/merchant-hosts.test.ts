// test/unit/cli/merchant-hosts.test.ts — hosts of web shops as options of commands.
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { merchantHosts } from '../../../src/cli/arguments.ts'

test('hosts are collected from names and addresses, each once', () => {
  const given = ['Shop.Example', 'https://www.shop.example:8443/pay?next=https://', ' shop.example. ']
  deepEqual(
    given.reduce((before: readonly string[], text) => merchantHosts(text, before), []),
    ['shop.example', 'www.shop.example'],
  )
})

test('what is no host, and one more than twenty, is refused', () => {
  for (const text of ['', '*.example', 'two words', 'https://', 'https:///pay', 'a,b'])
    throws(() => merchantHosts(text), /It must be the name of a host/, text)
  const twenty = Array.from({ length: 20 }, (_, index) => `shop-${index}.example`)
  deepEqual(merchantHosts('shop-7.example', twenty), twenty)
  throws(() => merchantHosts('one-more.example', twenty), /It must be 20 hosts at most/)
})
