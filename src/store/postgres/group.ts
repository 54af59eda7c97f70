// src/store/postgres/group.ts — writes a group of commits in one transaction. A commit that is refused does not affect the
// others, because it is decided before anything of it is written.

import { Fault } from '../../engine/fault.ts'
import type { Commit } from '../../engine/ports/store.ts'
import { readBack } from './commit-outcome.ts'
import type { Connections } from './connections.ts'
import { CommitUnknown, StatementFailed } from './faults.ts'
import { type Decided, decideCommit, emptyChanges, type GroupChanges, markDone, NotTogether } from './group-plan.ts'
import { readGroupState } from './group-state.ts'
import { drawNumbers, writeChanges } from './group-writes.ts'
import { lockAccounts } from './lock-accounts.ts'
import type { UnsureEvents } from './unsure-events.ts'

/** One piece of work of a group. */
export type Work =
  | { readonly type: 'commit'; readonly account: string; readonly commit: Commit }
  | { readonly type: 'effects_done'; readonly account: string; readonly effectIds: readonly string[] }

/** The result of a commit, or the error of this work alone. Marked effects are `written`. */
export type Outcome = Decided

/** Tries of a group that collides with another one: deadlocks, and API keys that two accounts want at the same time. */
const TRIES = 4

export interface GroupParts {
  readonly connections: Connections
  /** This process. */
  readonly writer: number
  /** Gets the events of groups whose outcome is unknown. */
  readonly unsure: UnsureEvents
}

/** Writes a group and returns an outcome for each work, in order. Errors are outcomes, too. */
export async function writeGroup(
  parts: GroupParts,
  works: readonly Work[],
  tries = TRIES,
): Promise<readonly Outcome[]> {
  const { connections, writer } = parts
  const changes = emptyChanges()
  const outcomes: Outcome[] = []
  try {
    await connections.transaction(async query => {
      await lockAccounts(query, works)
      const commits = works.flatMap(work => (work.type === 'commit' ? [work.commit] : []))
      const state = await readGroupState(query, commits)
      for (const work of works) {
        if (work.type === 'commit') outcomes.push(decideCommit(state, changes, work.commit))
        else {
          for (const effectId of work.effectIds) markDone(changes, work.account, effectId)
          outcomes.push('written')
        }
      }
      await drawNumbers(query, changes)
      await writeChanges(query, changes, writer)
    })
    return outcomes
  } catch (error) {
    if (error instanceof CommitUnknown) return settle(parts, { error, changes, outcomes, works })
    return writeApart(parts, works, { error, tries })
  }
}

interface Unsettled {
  readonly error: CommitUnknown
  readonly changes: GroupChanges
  readonly outcomes: readonly Outcome[]
  readonly works: readonly Work[]
}

/** Reads back whether an unanswered COMMIT has taken effect. Nothing is written again: the callers decide on what they read. */
async function settle(parts: GroupParts, unsettled: Unsettled): Promise<readonly Outcome[]> {
  const { error, changes, outcomes, works } = unsettled
  const { connections, unsure } = parts
  // Others may see the changes from now on, and this process must not show what was before for longer than they.
  unsure.add(changes.events)
  const found = await readBack(parts, error, changes)
  const isOurs = found !== 'unknown' && unsure.withdraw(changes.events)
  // What was found meanwhile is published already, and its effects and timers are taken up.
  if (found === 'written' && isOurs) return outcomes
  const rolledBack = new Fault('store_unreachable', { detail: connections.where, cause: error })
  return works.map(() => ({ error: found === 'rolled_back' ? rolledBack : error }))
}

/**
 * Nothing of the group is written. An error that one commit or one account can have caused does not fail the others: they are
 * written again without it.
 */
async function writeApart(
  parts: GroupParts,
  works: readonly Work[],
  { error, tries }: { readonly error: unknown; readonly tries: number },
): Promise<readonly Outcome[]> {
  if (isCollision(error) && tries > 1) return writeGroup(parts, works, tries - 1)
  const isApart = error instanceof StatementFailed || error instanceof NotTogether
  const portions = isApart ? works.map(work => [work]) : isLate(error) ? byAccount(works) : []
  if (portions.length < 2) return works.map(() => ({ error }))
  const outcomes = new Map<Work, Outcome>()
  for (const portion of portions) {
    const written = await writeGroup(parts, portion)
    for (const [index, work] of portion.entries()) outcomes.set(work, written[index] ?? { error })
  }
  return works.map(work => outcomes.get(work) ?? { error })
}

function isCollision(error: unknown): boolean {
  if (error instanceof StatementFailed) return error.constraint === 'account_keys_pkey'
  return error instanceof Fault && error.code === 'contention'
}

/** Another process holds the lock of one account too long. */
function isLate(error: unknown): boolean {
  const state = error instanceof Fault && error.cause instanceof Error ? error.cause.message : ''
  return state === '55P03' || state === '57014'
}

function byAccount(works: readonly Work[]): readonly (readonly Work[])[] {
  const parts = new Map<string, Work[]>()
  for (const work of works) {
    const part = parts.get(work.account)
    if (part === undefined) parts.set(work.account, [work])
    else part.push(work)
  }
  return [...parts.values()]
}
