// test/simulation/restaurant/waiter.ts — random waiters, who follow a script or press any key that has an effect.
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import { TERMINAL } from '../../../src/engine/machines.ts'
import type { ScreenKey, ScreenView } from '../../../src/simulator/terminals/screens.ts'
import { WAITER_SCRIPTS } from '../../../src/simulator/terminals/waiter-library.ts'
import type { Gateway } from '../../../src/wire.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

export async function installedTerminal(gateway: Gateway, tid: string): Promise<Terminal> {
  const entry = await gateway.engine.read(TERMINAL, { account: 'demo', id: tid })
  if (entry === null) throw new Error(`no terminal ${tid}`)
  return entry.record
}

/** Starts a scripted waiter, if the terminal is free. Plugs in an unplugged terminal instead. */
export async function sendSomebody(gateway: Gateway, tid: string, table: string, random: SeededRandom): Promise<void> {
  const { sandbox } = gateway
  if (sandbox === null) return
  const terminal = await installedTerminal(gateway, tid)
  if (!sandbox.screenOf(terminal).connected) {
    await sandbox.press(terminal, { key: 'plug_in' })
    return
  }
  const script = WAITER_SCRIPTS[random.integer(WAITER_SCRIPTS.length)]!
  await sandbox.waiters.send(terminal, { script: script.name, table })
}

/** Presses a random key that has an effect. */
export async function pressSomething(gateway: Gateway, tid: string, random: SeededRandom): Promise<void> {
  const { sandbox } = gateway
  if (sandbox === null) return
  const terminal = await installedTerminal(gateway, tid)
  const screen = sandbox.screenOf(terminal)
  const names = screen.keys.filter(
    key => !['unplug', 'take_paper_out', 'run_report'].includes(key) || random.integer(20) === 0,
  )
  const name = names[random.integer(Math.max(names.length, 1))]
  const key = name === undefined ? null : keyOf(name, screen, sandbox.cards, random)
  if (key !== null) await sandbox.press(terminal, key)
}

function keyOf(
  key: ScreenKey['key'],
  { waiter }: ScreenView,
  cards: NonNullable<Gateway['sandbox']>['cards'],
  random: SeededRandom,
): ScreenKey | null {
  const open = waiter?.openMinor ?? 0
  const amount = random.integer(3) === 0 && open > 0 ? { amountMinor: random.integer(open) + 1 } : {}
  switch (key) {
    case 'present_card': {
      const card = cards[random.integer(cards.length)]!
      return { key, card: card.card, how: card.how[random.integer(card.how.length)]! }
    }
    case 'pin':
      return { key, digits: random.integer(6) === 0 ? '0000' : '1234' }
    case 'signature':
      return { key, accepted: random.integer(4) > 0 }
    case 'gratuity':
      return { key, amountMinor: random.integer(500) }
    case 'waiter':
      return { key, waiterId: '1' }
    case 'choose_table': {
      const table = waiter?.tables[random.integer(waiter.tables.length)]
      return table === undefined ? null : { key, table }
    }
    case 'split_equally':
      return { key, shares: 2 + random.integer(4) }
    case 'split_amounts':
      return open < 2 ? null : { key, amountsMinor: [random.integer(open - 1) + 1] }
    case 'split_items':
      return { key, guests: 2, items: [[0], [1], [0, 1]] }
    case 'pay':
    case 'pay_other':
      return { key, ...amount }
    case 'run_report':
      return { key, reportType: 'X_BALANCE' }
    case 'cancel':
    case 'leave':
      return random.integer(4) === 0 ? { key } : null
    case 'print_bill':
    case 'remove_card':
    case 'unplug':
    case 'plug_in':
    case 'take_paper_out':
    case 'put_paper_in':
      return { key }
  }
}
