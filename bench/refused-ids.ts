// bench/refused-ids.ts — how many of a million ids of each make are taken for card numbers. Run by `npm run refused-ids`.
import { idHoldsCardNumber } from '../src/domain/card-numbers.ts'
import { chanceFrom, ORDER_IDS } from '../test/support/order-ids.ts'

const IDS = 1_000_000
const SEED = 20_261_128
/** Fewer than one in 100,000. */
const MOST_REFUSED = IDS / 100_000 - 1

let tooMany = false
for (const [name, make] of Object.entries(ORDER_IDS)) {
  const chance = chanceFrom(SEED)
  let refused = 0
  for (let index = 0; index < IDS; index += 1) if (idHoldsCardNumber(make(chance, index))) refused += 1
  tooMany ||= refused > MOST_REFUSED
  process.stdout.write(`${name.padEnd(34)} ${String(refused).padStart(7)} of ${IDS}\n`)
}
process.exitCode = tooMany ? 1 : 0
