// test/crash/person.ts — a person who presses keys of a terminal, through the sandbox API.
import { deepEqual, equal } from 'node:assert/strict'
import type { ScreenKey, TestCardView } from '../../src/simulator/terminals/screens.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Book } from './book.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'

interface Screen {
  readonly connected: boolean
  readonly keys: readonly string[]
  readonly lines: readonly string[]
  readonly requestId: string | null
}

export interface Person {
  /** Reads the screen, and may press a key. */
  act(): Promise<void>
  /** Prepares the terminal for the next transaction. */
  tidyUp(): Promise<void>
  /**
   * Leaves the terminal free at the end: a card left in it, or an unplugged terminal, would prevent the reconciliation of a
   * payment that timed out.
   */
  leave(): Promise<void>
}

const WRONG_PIN = '0000'
/** Number of looks at a terminal that offers no key, before it is unplugged. */
const LOOKS = 50

export function createPerson(line: Line, tid: string, random: SeededRandom, book: Book): Person {
  const path = `/sandbox/terminals/${tid}`
  let cards: readonly TestCardView[] = []
  let card: TestCardView | null = null
  const oneIn = (chances: number) => random.integer(chances) === 0

  async function screen(): Promise<Screen> {
    const { status, text } = await line.insist('GET', path)
    equal(status, 200, text)
    return JSON.parse(text) as Screen
  }

  async function pick(): Promise<TestCardView> {
    if (cards.length === 0) {
      const { text } = await line.insist('GET', '/sandbox/cards')
      cards = (JSON.parse(text) as { readonly cards: readonly TestCardView[] }).cards
    }
    return cards[random.integer(cards.length)]!
  }

  async function press(key: ScreenKey): Promise<void> {
    const heard = await line.ask('POST', `${path}/keys`, { body: key })
    // The terminal may have moved on meanwhile; the key then has no effect.
    if (heard !== null && heard.status !== 409) equal(heard.status, 200, heard.text)
  }

  async function wanted({ keys, lines }: Screen): Promise<ScreenKey | null> {
    if (keys.includes('plug_in')) return { key: 'plug_in' }
    if (keys.includes('unplug') && oneIn(15)) return { key: 'unplug' }
    if (keys.includes('cancel') && oneIn(25)) return { key: 'cancel' }
    if (keys.includes('present_card')) {
      card = await pick()
      return { key: 'present_card', card: card.card, how: card.how[random.integer(card.how.length)]! }
    }
    if (keys.includes('pin')) return { key: 'pin', digits: oneIn(6) ? WRONG_PIN : card?.pin || WRONG_PIN }
    const asked = lines.some(text => text.includes('REMOVE CARD'))
    return keys.includes('remove_card') && (asked || oneIn(15)) ? { key: 'remove_card' } : null
  }

  return {
    async act() {
      const seen = await screen()
      const key = await wanted(seen)
      if (key === null) return
      // Noted before the request, whatever its result.
      if (key.key === 'unplug' && seen.requestId !== null) book.unplugged.add(seen.requestId)
      await press(key)
    },
    async tidyUp() {
      for (let seen = await screen(); !seen.connected; seen = await screen()) {
        deepEqual(seen.keys.includes('plug_in'), true)
        await press({ key: 'plug_in' })
      }
    },
    leave: () => line.gateway.patiently(`a free terminal ${tid}`, PATIENCE_MS.rest, leave()),
  }

  async function leave(): Promise<void> {
    for (let looks = 0; ; looks += 1) {
      const { connected, requestId, keys } = await screen()
      if (connected && requestId === null) return
      const key = (['plug_in', 'remove_card', 'cancel'] as const).find(each => keys.includes(each))
      if (key !== undefined) await press({ key })
      else if (looks > LOOKS) await press({ key: 'unplug' })
    }
  }
}
