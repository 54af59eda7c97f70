// src/terminals/nexo/device-lists.ts — which terminals the provider's cloud is connected to: one request for all of an account.
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import { type Address, type Carrier, LineError } from './line.ts'
import { memberAt, parsed, textOf } from './wire/lenient.ts'

export interface DeviceLists {
  /** Whether a terminal is connected to the cloud; null when that cannot be found out. Never rejects. */
  has(list: Address, poiId: string): Promise<boolean | null>
}

export interface DeviceListsParts {
  readonly carrier: Carrier
  readonly clock: Clock
  readonly log: Log
}

/** Shorter than the pause between two looks at a terminal, so that each look has news and the terminals of an account share it. */
const FRESH_MS = 25_000
const OPEN_LIMIT_MS = 5_000
const ANSWER_LIMIT_MS = 15_000

type Ids = ReadonlySet<string> | null

interface Read {
  readonly at: number
  readonly ids: Promise<Ids>
}

/** Creates the lists. Nothing is asked before the first call. */
export function createDeviceLists({ carrier, clock, log }: DeviceListsParts): DeviceLists {
  const reads = new Map<string, Read>()
  const failing = new Set<string>()

  async function ask(list: Address): Promise<Ids> {
    const line = await carrier.open(list, OPEN_LIMIT_MS)
    const limit = clock.alarm(clock.now() + ANSWER_LIMIT_MS, line.close)
    try {
      const { status, text } = await line.get()
      if (status !== 200) throw new LineError('lost', `HTTP ${status}`)
      return idsIn(text)
    } finally {
      limit.cancel()
      line.close()
    }
  }

  /** Says once that a list cannot be read, until it can. */
  async function read(list: Address, name: string): Promise<Ids> {
    try {
      const ids = await ask(list)
      failing.delete(name)
      return ids
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      if (!failing.has(name)) log.warn({ path: list.path, why: error.message }, 'connected terminals cannot be listed')
      failing.add(name)
      return null
    }
  }

  return {
    async has(list, poiId) {
      // Another key may see other terminals.
      const name = JSON.stringify([list.host, list.port, list.path, list.headers])
      const before = reads.get(name)
      const at = clock.now()
      const current = before !== undefined && at - before.at < FRESH_MS ? before : { at, ids: read(list, name) }
      reads.set(name, current)
      const ids = await current.ids
      return ids === null ? null : ids.has(poiId)
    },
  }
}

/** @throws LineError when it is no list of terminals */
function idsIn(text: string): ReadonlySet<string> {
  const ids = memberAt(parsed(text), 'uniqueDeviceIds')
  if (!Array.isArray(ids)) throw new LineError('lost', 'not a list of terminals')
  return new Set(ids.map(textOf))
}
