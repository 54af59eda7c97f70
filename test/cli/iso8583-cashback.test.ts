// test/cli/iso8583-cashback.test.ts — case 50: cash that a sale pays out, at the simulated host in each dialect.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/acquirers/iso8583/built-in.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { ChipData } from '../../src/domain/chip-data.ts'
import { money } from '../../src/domain/money.ts'
import { anOrder, openIso8583 } from '../support/iso8583-bench.ts'
import { benchHost, type SimulatedHost, simulatedHost } from './simulated-host.ts'

/** 35.99, of which 10.00 are cash; the chip says the same. */
const CHIP = '57114761739001010119D30122010000000000' + '9F0206000000003599' + '9F0306000000001000'
const OTHER_CHIP = CHIP.replace('9F0306000000001000', '9F0306000000000000')
const SALE = { ...anOrder('s1', 3599), cashback: money(1000, 'GBP'), entryMode: 'ICC_CHIP', cardToken: 'chip' } as const

async function opened(host: SimulatedHost, document: DialectDocument) {
  const { mac: _, ...open } = document
  return openIso8583(benchHost(host), host.port, { document: { ...open, examples: [] } })
}

test.each(Object.entries(BUILT_IN_DIALECTS))(
  '%s: the host is told, and its totals are of the whole',
  async (name, document) => {
    const host = await simulatedHost(['--dialect', name])
    const bench = await opened(host, document as DialectDocument)
    const sale = { ...SALE, chipData: new ChipData(CHIP) }
    equal((await bench.acquirer.authorise(sale, 'charge')).answer, 'approved')
    // The host refuses a sale whose cash is not that of its chip.
    const differing = { ...sale, orderId: 's2', chipData: new ChipData(OTHER_CHIP) }
    equal((await bench.acquirer.authorise(differing, 'charge')).answer, 'declined')
    equal(await bench.acquirer.reverse({ orderId: 's1', account: 'demo' }), 'reversed')
    const entries = await host.entries()
    deepEqual(
      entries.filter(({ kind }) => kind === 'charge').map(({ amountMinor, state }) => [amountMinor, state]),
      [[3599, 'reversed']],
    )
    await bench.close()
  },
)

test('a dialect without cashback declines it, and nothing is sent', async () => {
  const host = await simulatedHost(['--dialect', 'plain-87-ascii'])
  const { cashback: _, ...document } = BUILT_IN_DIALECTS['plain-87-ascii'] as DialectDocument
  const bench = await opened(host, document as DialectDocument)
  deepEqual(await bench.acquirer.authorise(SALE, 'charge'), {
    ...{ answer: 'declined', reason: 'card_not_supported', responseCode: '40' },
  })
  deepEqual(await host.entries(), [])
  await bench.close()
})
