// test/contract/iso8583-acquirer.test.ts — runs the contract of acquirers for ISO 8583, with a host in a process of its own.
import { afterAll, beforeAll } from 'vitest'
import { type AcquirerHost, startAcquirerHost } from '../support/acquirer-host.ts'
import { CARDS, type Iso8583Bench, openIso8583 } from '../support/iso8583-bench.ts'
import { type AcquirerUnderTest, exerciseAcquirer } from './acquirer.suite.ts'

let host: AcquirerHost
beforeAll(async () => {
  host = await startAcquirerHost()
})
afterAll(() => host.end())

function under({ acquirer, moneyOf, afterCrash, close }: Iso8583Bench): AcquirerUnderTest {
  return { acquirer, cards: CARDS, moneyOf, close, afterCrash: async () => under(await afterCrash()) }
}

exerciseAcquirer('iso8583, to a host in ASCII', async () => under(await openIso8583(host, await host.open())))
