// bench/damaged-iso8583.ts — a million damaged messages for each dialect: read or refused, nothing else. Run by `npm run damaged-iso8583`.
import fc from 'fast-check'
import { BUILT_IN_DIALECTS } from '../src/acquirers/iso8583/built-in.ts'
import { readDialect } from '../src/acquirers/iso8583/dialect.ts'
import { type MessageFormat, packMessage, unpackMessage } from '../src/acquirers/iso8583/message-codec.ts'
import { printable } from '../src/acquirers/iso8583/printable.ts'
import { Refused } from '../src/acquirers/iso8583/refused.ts'
import { readStrictly } from '../src/api/read/strict-document.ts'
import { SeededRandom } from '../test/support/seeded-random.ts'
import { messagesOf } from '../test/unit/acquirers/iso8583/arbitrary-messages.ts'
import { damaged } from '../test/unit/acquirers/iso8583/damage.ts'

const MESSAGES = Number(process.env['MESSAGES'] ?? 1_000_000)
/** Whole messages that the damaged ones are made from. */
const SAMPLES = 1_000
const SEED = Number(process.env['SEED'] ?? 20_261_130)
/** A message that takes longer is a fault: this is a thousand times the usual, so no pause of the machine. */
const LONGEST_MS = 1_000

process.stdout.write(`seed ${SEED}\n`)
let faults = 0
for (const [name, document] of Object.entries(BUILT_IN_DIALECTS)) {
  const read = readDialect(document, readStrictly)
  if ('problems' in read) throw new Error(`${name} is not valid`)
  faults += tryDialect(name, read.dialect.format)
}
process.exitCode = faults === 0 ? 0 : 1

/** Returns the number of faults. */
function tryDialect(name: string, format: MessageFormat): number {
  const samples = fc.sample(messagesOf(format), { numRuns: SAMPLES, seed: SEED }).map(each => packMessage(format, each))
  const random = new SeededRandom(SEED)
  const begin = performance.now()
  let refused = 0
  let faults = 0
  let longest = 0
  for (let count = 0; count < MESSAGES; count += 1) {
    const wire = damaged(samples[count % SAMPLES] ?? new Uint8Array(0), () => random.integer(0x1_0000))
    const started = performance.now()
    const outcome = outcomeOf(format, wire)
    longest = Math.max(longest, performance.now() - started)
    if (outcome === 'refused') refused += 1
    if (outcome !== 'fault') continue
    faults += 1
    process.stdout.write(`${name}: ${Buffer.from(wire).toString('hex')}\n`)
  }
  const seconds = Math.round((performance.now() - begin) / 1_000)
  process.stdout.write(
    `${name.padEnd(16)} ${MESSAGES} messages in ${seconds} s, ${refused} refused, ${faults} faults, ` +
      `${longest.toFixed(1)} ms the longest\n`,
  )
  return faults + (longest > LONGEST_MS ? 1 : 0)
}

function outcomeOf(format: MessageFormat, wire: Uint8Array): 'read' | 'refused' | 'fault' {
  try {
    printable(format, unpackMessage(format, wire))
    return 'read'
  } catch (error) {
    return error instanceof Refused ? 'refused' : 'fault'
  }
}
