// test/api/online/names.test.ts — names on cards: stored in one form, and refused only when they cannot be printed, are too
// long or hold a card number.

import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { openWebShop } from '../../support/web-shop.ts'

test('a name is shown as it is printed, without format characters', async () => {
  const { token, pay, payment } = await openWebShop()
  const names = [
    ['Ann\u00a0Example', 'Ann Example'],
    ['\u200fأحمد\u200e', 'أحمد'],
    ['Ａｎｎ\u3000Example!', 'Ann Example!'],
    ['李', '李'],
    [`Ann${'\u200b'.repeat(300)}`, 'Ann'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ] as const
  for (const [cardName, shown] of names) {
    const given = await token()
    equal((await pay(given, { cardName }))['statusCode'], 0)
    equal((await payment(given))['cardName'], shown)
  }
})

test('a name without anything to print, with too much, or with a card number is refused', async () => {
  const { token, pay } = await openWebShop()
  for (const cardName of [
    '',
    ' ',
    '\u200d',
    'x'.repeat(256),
    'Ann\u0000',
    '４４５６５３００００００１０９６',
    'Ann 4456-5300-0000-1096',
  ])
    equal(refusedFieldIn((await pay(await token(), { cardName }))['message']), 'cardName', JSON.stringify(cardName))
})
