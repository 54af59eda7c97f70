// test/unit/terminals/nexo/wire/displays.test.ts — what a terminal displays, read as reports and their places in a payment.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NO_CARD } from '../../../../../src/domain/card.ts'
import { eventsIn, PLACE_OF_END, shownBy } from '../../../../../src/terminals/nexo/wire/displays.ts'
import { SALE } from '../../../../support/records.ts'

const output = (ReferenceID: unknown) => ({
  ...{ Device: 'CashierDisplay', InfoQualify: 'Status' },
  OutputContent: { OutputFormat: 'MessageRef', PredefinedContent: { ReferenceID } },
})
const eventsOf = (DisplayOutput: unknown) => eventsIn({ DisplayRequest: { DisplayOutput } })

describe('the events of a notification', () => {
  test('are read in order, whatever else is in their references', () => {
    const first = output('TransactionID=4r7i001556529591000&TimeStamp=2026-05-06T13%3A03%3A27Z&event=CARD_INSERTED')
    deepEqual(eventsOf([first, output('event=WAIT_FOR_PIN&event=PIN_ENTERED')]), ['CARD_INSERTED', 'WAIT_FOR_PIN'])
  })
  test('may be of one output without a list around it', () => {
    deepEqual(eventsOf(output('event=TENDER_CREATED')), ['TENDER_CREATED'])
  })
  test.each([
    ['a result', [output('TransactionID=4r7i001556529591000&result=APPROVED')]],
    ['a text', [{ OutputContent: { OutputFormat: 'Text', OutputText: [{ Text: 'event=CARD_INSERTED' }] } }]],
    ['a reference that is no text', [output({ event: 'CARD_INSERTED' }), output(null)]],
    ['a broken escape', [output('%E0%A4%A&eve%6')]],
    ['nothing', undefined],
    ['something else in place of outputs', 'event=CARD_INSERTED'],
  ])('are none in %s', (_, outputs) => {
    deepEqual(eventsOf(outputs), [])
  })
  test('are none in a message that is no display', () => {
    deepEqual(eventsIn({ EventNotification: { EventToNotify: 'Shutdown' } }), [])
  })
})

describe('an event', () => {
  const shown = (event: string, request = SALE, asksTip = false) => shownBy(event, request, asksTip)
  test('that a card is expected is a prompt, where no tip and no keyed number come first', () => {
    deepEqual(shown('TENDER_CREATED'), { place: 1, report: { type: 'prompted', prompt: 'PRESENT_CARD' } })
    equal(shown('TENDER_CREATED', SALE, true), null)
    equal(shown('TENDER_CREATED', { ...SALE, cardholderNotPresent: true }), null)
  })
  test.each([
    ['CARD_INSERTED', 'ICC_CHIP'],
    ['CARD_PRESENTED', 'CONTACTLESS'],
    ['CARD_SWIPED', 'SWIPED'],
    ['CARD_DETAILS_PROVIDED', 'KEYED'],
  ] as const)('%s says that the card was read: %s', (event, paymentMethod) => {
    deepEqual(shown(event), { place: 2, report: { type: 'card_read', card: { ...NO_CARD, paymentMethod } } })
    deepEqual(shown(event, SALE, true)?.place, 2)
  })
  test('that the PIN is awaited comes after the card, and before the end', () => {
    deepEqual(shown('WAIT_FOR_PIN'), { place: 3, report: { type: 'pin_requested' } })
    equal(PLACE_OF_END, 4)
  })
  test.each([
    ...['PIN_ENTERED', 'WAIT_FOR_APP_SELECTION', 'ASK_GRATUITY', 'ASK_SIGNATURE', 'CHECK_SIGNATURE', 'TENDER_FINAL'],
    ...['CARD_REMOVED', 'PROVIDE_CARD_DETAILS', 'UNHEARD_OF', '', 'constructor', 'toString', '__proto__'],
  ])('%s means nothing to a till', event => {
    equal(shown(event), null)
  })
})
