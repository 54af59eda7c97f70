// test/contract/directory-server.test.ts — runs the contract for every directory server, over every memory.
import { match } from 'node:assert/strict'
import { type Card, CardNumber } from '../../src/domain/card-number.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { ONLINE_TEST_CARDS, type ThreeDSecureMode } from '../../src/simulator/cards/online-test-cards.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createSimulatedAcs } from '../../src/simulator/three-d-secure/acs.ts'
import { createSimulatedDirectoryServer } from '../../src/simulator/three-d-secure/directory-server.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { CARDS, openConnector, openScheme, type Scheme } from '../support/emv/scheme.ts'
import { MEMORIES, type MemoryUnderTest } from '../support/simulated-memories.ts'
import { TestClock } from '../support/test-clock.ts'
import { type DirectoryServerUnderTest, exerciseDirectoryServer } from './directory-server.suite.ts'

function cardThat(wanted: ThreeDSecureMode): Card {
  const known = ONLINE_TEST_CARDS.find(({ mode }) => mode === wanted)
  if (known === undefined) throw new Error(`no test card for ${wanted}`)
  const { number, scheme, holder } = known
  return { number: new CardNumber(number, scheme), expiry: { month: 12, year: 2030 }, holder: holder ?? '' }
}

function over(kept: MemoryUnderTest, memory: SimulatedMemory, close: () => Promise<void>): DirectoryServerUnderTest {
  const parts = { memory, clocks: oneClock(new TestClock()) }
  const acs = createSimulatedAcs(parts)
  return {
    server: createSimulatedDirectoryServer(parts),
    cards: {
      frictionless: cardThat('frictionless 2.0'),
      challenged: cardThat('2.0'),
      notEnrolled: cardThat('no'),
    },
    async answer(md, how) {
      acs.answer(md, how === 'passed' ? { action: 'submit', code: '1234' } : { action: 'cancel' })
    },
    afterCrash: () => over(kept, kept.afterCrash(), async () => {}),
    close,
  }
}

for (const { name, make } of MEMORIES)
  exerciseDirectoryServer(`simulated, remembered ${name}`, () => {
    const kept = make()
    return over(kept, kept.memory, kept.close)
  })

/** The connector to directory servers of schemes. Its notes are in the store, so they outlive it. */
function connected(scheme: Scheme, store: Store, close: () => Promise<void>): DirectoryServerUnderTest {
  const clock = new TestClock()
  const { server, journal, receive } = openConnector(scheme, store, clock)
  return {
    ...{ server, cards: CARDS, close },
    async answer(md, how) {
      const noted = await journal.load('demo', md)
      const id = noted?.note.threeDSServerTransID ?? ''
      const given = { transStatus: 'N', transStatusReason: '14', challengeCancel: '01', authenticationValue: undefined }
      match((await receive('demo', scheme.rreq(id, how === 'passed' ? {} : given))) ?? '', /"messageType":"RRes"/)
    },
    afterCrash: () => connected(scheme, store, async () => {}),
  }
}

exerciseDirectoryServer('of a scheme', () => {
  const store = openMemoryStore()
  return connected(openScheme(), store, () => store.close())
})
