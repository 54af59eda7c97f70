// bench/damaged-3ds.ts — a million damaged messages of each version of EMV 3-D Secure: none may crash or hang the codec. Run
// by `npm run damaged-3ds`.
import { performance } from 'node:perf_hooks'
import { decode, encode, MESSAGE_TYPES } from '../src/three-d-secure/emv/codec.ts'
import { VERSIONS } from '../src/three-d-secure/emv/versions.ts'
import { mutated } from '../test/support/emv/mutations.ts'
import { SAMPLES } from '../test/support/emv/samples.ts'
import { SeededRandom } from '../test/support/seeded-random.ts'

const MESSAGES = 1_000_000
const SEED = Number(process.env['SEED'] ?? 20_261_130)
/** A message that takes so much of the processor hangs a node. Collecting garbage takes less. */
const LONGEST_MS = 1_000

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let wrong = false
for (const version of VERSIONS) {
  const random = new SeededRandom(SEED)
  const counts = { read: 0, refused: 0, unwritable: 0 }
  let slowestMs = 0
  const begun = performance.now()
  for (let index = 0; index < MESSAGES; index += 1) {
    const { message } = SAMPLES[index % SAMPLES.length] ?? { message: {} }
    const text = mutated({ ...message, messageVersion: version }, random)
    const started = processorMs()
    const decoded = decode(text, { expected: MESSAGE_TYPES })
    if ('refused' in decoded) counts.refused += 1
    else if ('refused' in encode(decoded.message, decoded.version)) counts.unwritable += 1
    else counts.read += 1
    slowestMs = Math.max(slowestMs, processorMs() - started)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  wrong ||= counts.unwritable > 0 || slowestMs > LONGEST_MS
  process.stdout.write(
    `${version}: ${MESSAGES} messages in ${seconds} s, slowest ${slowestMs.toFixed(1)} ms, seed ${SEED}: ${JSON.stringify(counts)}\n`,
  )
}
process.exitCode = wrong ? 1 : 0
