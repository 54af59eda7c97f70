// test/recorded/replay.test.ts — plays every scenario again and holds it against its recording; with RECORD=1 it records.
//
// What this is for. The recordings under `exchanges/` were made with the program as it was, over its wire only: HTTP requests
// and answers, WebSocket messages, webhooks. While the inside of the program is rearranged, they say whether anything that a
// client can see has changed.
//
// How it works. An area (`areas.ts`) is a list of scenarios (`scripts/*.ts`). A scenario opens a gateway of its own on a clock
// that stands still (`gateway.ts`, the one file that knows the inside) and plays exchanges (`play.ts`, `socket.ts`,
// `merchant-server.ts`), which are written down as a transcript. Then ids, tokens, codes and other random values become names
// such as `<id 1>`, by the order of their first appearance (`naming.ts`), so that what must be equal is still held to be equal.
// Times stay: the clock is moved by the scenario, so a time that has moved is a change. A replay draws other random numbers
// than the recording did, which shows that no recording depends on them.
//
// When it fails. The failure names the exchange, the place in it, and both values. If the change is not meant, the program
// is wrong. If it is meant, add a line to `differences.ts`, or record anew with `npm run record` and look at what git shows.
import { deepEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { AREAS } from './areas.ts'
import { type Change, changesIn, isMeant, told } from './compare.ts'
import { DIFFERENCES } from './differences.ts'
import { openGateway } from './gateway.ts'
import type { JsonObject } from './json.ts'
import { named } from './naming.ts'
import { playOn } from './play.ts'
import { nameOf, type Recording, readRecording, writeRecording } from './recordings.ts'
import type { Scenario } from './scenario.ts'

const IS_RECORDING = process.env['RECORD'] === '1'
const SEED = IS_RECORDING ? 1 : 2

const occurred = new Set<number>()

async function transcriptOf({ setup, play }: Scenario): Promise<readonly JsonObject[]> {
  const playing = playOn(await openGateway(setup, SEED))
  await play(playing)
  // Members that are undefined are not there, as on the wire.
  return named(JSON.parse(JSON.stringify(playing.transcript))) as readonly JsonObject[]
}

/** The changes of a scenario that nobody has meant. */
function unmeant(changes: readonly Change[]): readonly Change[] {
  return changes.filter(change => {
    const meant = DIFFERENCES.flatMap((difference, index) => (isMeant(change, difference) ? [index] : []))
    for (const index of meant) occurred.add(index)
    return meant.length === 0
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

test('every difference that is meant still occurs', () => {
  const gone = IS_RECORDING ? [] : DIFFERENCES.filter((_, index) => !occurred.has(index))
  deepEqual(gone, [])
})
