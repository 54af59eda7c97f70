// src/simulator/pruning.ts — deletes from the simulator's memory what closed accounts left, and old rows of the others.
import { decodeRecord } from '../engine/decoding.ts'
import { MERCHANT_ACCOUNT } from '../engine/machines.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Store } from '../engine/ports/store.ts'
import { type AccountClosingParts, endWhatRuns, stillRuns } from '../services/provisioning/account-closing.ts'
import type { Portion, RetentionJob } from '../services/retention/retention-jobs.ts'
import type { LedgerOrder } from './acquirer/ledger.ts'
import type { Collection, MemoryDocument, SimulatedMemory } from './memory/memory.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Documents of one batch: a few milliseconds, in which no payment waits noticeably. */
const BATCH = 200

/** Collections that grow with each payment. The others have one document for each terminal, card or account. */
const GROWING: readonly Collection[] = ['order', 'reversal', 'authentication', 'online-script']

export interface PruningParts extends AccountClosingParts {
  readonly store: Store
  readonly memory: SimulatedMemory
  readonly clock: Clock
  /** How long a finished row stays, in milliseconds, from its last change. */
  readonly retentionMs: number
  /** Lets the clock of an account run: what runs on a frozen one never ends. */
  readonly releaseClock: (account: string) => Promise<unknown>
  /** Drops the terminals of an account from memory, so that none of them writes again. */
  readonly forget: (account: string) => void
}

/** The retention jobs of the simulator. ADR 59. */
export function pruningJobs(parts: PruningParts): readonly RetentionJob[] {
  return [
    { name: 'closed accounts', everyMs: HOUR_MS, onEachNode: true, portion: after => clearClosed(parts, after) },
    { name: 'old rows of the simulator', everyMs: DAY_MS, onEachNode: true, portion: after => eraseOld(parts, after) },
  ]
}

/** One closed account a batch, which comes again until it is empty. */
async function clearClosed({ memory, forget, releaseClock, ...parts }: PruningParts, after: number): Promise<Portion> {
  const [next] = await parts.store.all(MERCHANT_ACCOUNT.kind, { after, limit: 1 })
  if (next === undefined) return { gone: 0, next: null }
  const { id, status } = decodeRecord(MERCHANT_ACCOUNT, next.body)
  if (status !== 'revoked' || memory.nodes?.holds(id) === false) return { gone: 0, next: next.position }
  // A crash may have come between the end of the account and the end of what ran.
  await endWhatRuns(parts, id)
  if (await stillRuns(parts, id)) {
    await releaseClock(id)
    return { gone: 0, next: next.position }
  }
  forget(id)
  const gone = memory.eraseOf(id, BATCH)
  return { gone, next: gone === BATCH ? after : next.position }
}

async function eraseOld({ memory, clock, retentionMs }: PruningParts, after: number): Promise<Portion> {
  return memory.eraseOld({
    ...{ collections: GROWING, before: clock.now() - retentionMs, after, limit: BATCH },
    isNeeded: isOpen,
  })
}

/** Whether something refers to a row: a hold can be captured, a queue of scenarios is a setting. */
function isOpen({ collection, key, parent, body }: MemoryDocument): boolean {
  if (collection === 'online-script') return key === parent
  if (collection !== 'order') return false
  const { state } = JSON.parse(body) as LedgerOrder
  return state === 'held' || state === 'undecided'
}
