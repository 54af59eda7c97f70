// test/simulation/soak/person.ts — customers at terminals with keys, who press random ones.
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import type { ScreenKey } from '../../../src/simulator/terminals/screens.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Shop } from '../../support/shop.ts'
import { happens, oneOf } from './wishes.ts'

/** Presses a random key on each terminal, or none. */
export async function pressSomeKeys({ gateway }: Shop, terminals: readonly Terminal[], random: SeededRandom) {
  const { sandbox } = gateway
  if (sandbox === null) throw new Error('there are no simulated terminals')
  for (const terminal of terminals) {
    const { keys } = sandbox.screenOf(terminal)
    const key = keyFor(oneOf(random, keys), sandbox.cards, random)
    if (key !== null) await sandbox.press(terminal, key)
  }
}

/** Plugs in each terminal and puts its paper in, so that open transactions can end. */
export async function tidyUp({ gateway }: Shop, terminals: readonly Terminal[]): Promise<void> {
  for (const terminal of terminals)
    for (const key of ['plug_in', 'put_paper_in'] as const) await gateway.sandbox?.press(terminal, { key })
}

function keyFor(
  name: ScreenKey['key'],
  cards: NonNullable<Shop['gateway']['sandbox']>['cards'],
  random: SeededRandom,
): ScreenKey | null {
  switch (name) {
    case 'present_card': {
      const card = oneOf(random, cards)
      return { key: name, card: card.card, how: oneOf(random, card.how) }
    }
    case 'pin':
      return { key: name, digits: happens(random, 5) ? '0000' : '1234' }
    case 'gratuity':
      return { key: name, amountMinor: random.integer(500) }
    case 'cancel':
    case 'unplug':
      return happens(random, 10) ? { key: name } : null
    case 'remove_card':
    case 'plug_in':
    case 'take_paper_out':
    case 'put_paper_in':
      return { key: name }
    // There are no tables in this shop.
    default:
      return null
  }
}
