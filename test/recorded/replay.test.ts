// test/recorded/replay.test.ts — replays every scenario against its recording; with RECORD=1 it records.
//
// Purpose. The recordings under `exchanges/` were made over the program's interfaces only: HTTP requests and answers,
// WebSocket messages, webhooks. They show whether a change inside the program alters anything a client can see.
//
// How it works. An area (`areas.ts`) is a list of scenarios (`scripts/*.ts`). A scenario opens its own gateway on a frozen
// clock (`gateway.ts`, the only file that imports the program's internals) and plays exchanges (`play.ts`, `socket.ts`,
// `merchant-server.ts`), which are written to a transcript. Ids, tokens, codes and other random values are then replaced by
// names such as `<id 1>`, in order of first appearance (`naming.ts`), so that equal values must stay equal. Times stay: the
// scenario moves the clock, so a different time is a change. A replay draws other random numbers than the recording, so no
// recording can depend on them.
//
// On failure. The message names the exchange, the path in it, and both values. If the change is not intended, the program is
// wrong. If it is, add an entry to `differences.ts`, or record again with `npm run record` and review the diff.
import { deepEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isOnPostgres } from '../support/shop-store.ts'
import { AREAS } from './areas.ts'
import { type Change, changesIn, isMeant, told } from './compare.ts'
import { DIFFERENCES } from './differences.ts'
import { openGateway } from './gateway.ts'
import type { JsonObject } from './json.ts'
import { named } from './naming.ts'
import { DIFFERENCES_ON_POSTGRES } from './on-postgres.ts'
import { playOn } from './play.ts'
import { nameOf, type Recording, readRecording, writeRecording } from './recordings.ts'
import type { Scenario } from './scenario.ts'

const IS_RECORDING = process.env['RECORD'] === '1'
const SEED = IS_RECORDING ? 1 : 2

const occurred = new Set<number>()

async function transcriptOf({ setup, play }: Scenario): Promise<readonly JsonObject[]> {
  const playing = playOn(await openGateway(setup, SEED))
  await play(playing)
  // Undefined members do not exist, as on the wire.
  return named(JSON.parse(JSON.stringify(playing.transcript))) as readonly JsonObject[]
}

/** The changes of a scenario that are not intended. */
function unmeant(changes: readonly Change[]): readonly Change[] {
  return changes.filter(change => {
    const meant = DIFFERENCES.flatMap((difference, index) => (isMeant(change, difference) ? [index] : []))
    for (const index of meant) occurred.add(index)
    if (meant.length > 0) return false
    return !isOnPostgres() || !DIFFERENCES_ON_POSTGRES.some(difference => isMeant(change, difference))
  })
}

describe.each(Object.entries(AREAS))('%s', (area, scenarios) => {
  const before = IS_RECORDING ? {} : readRecording(area)
  const after: Record<string, readonly JsonObject[]> = {}

  test.each(scenarios)('$name', async scenario => {
    const now = await transcriptOf(scenario)
    ok(now.length > 0, 'nothing was exchanged')
    if (IS_RECORDING) {
      after[scenario.name] = now
      return
    }
    const recorded = before[scenario.name] ?? []
    const changes = Array.from({ length: Math.max(recorded.length, now.length) }, (_, index) => {
      const [old = {}, fresh = {}] = [recorded[index], now[index]]
      return changesIn(nameOf(area, scenario.name, index, recorded[index] ?? fresh), old, fresh)
    }).flat()
    deepEqual(unmeant(changes).map(told).join('\n'), '', `${scenario.name} is not as recorded`)
  })

  test('every recording has its scenario', () => {
    if (IS_RECORDING) writeRecording(area, after satisfies Recording)
    deepEqual(
      Object.keys(readRecording(area)),
      scenarios.map(({ name }) => name),
    )
  })
})

test('every intended difference still occurs', () => {
  const gone = IS_RECORDING ? [] : DIFFERENCES.filter((_, index) => !occurred.has(index))
  deepEqual(gone, [])
})
