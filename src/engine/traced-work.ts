// src/engine/traced-work.ts — the engine's work with spans: decisions, commits, effects. Called only when tracing is on.
import type { Decision } from '../domain/machine.ts'
import type { Refusal } from '../domain/refusals.ts'
import { Fault } from './fault.ts'
import type { Commit, CommitResult, Key, Store, StoredEffect } from './ports/store.ts'
import type { Span, Tracing } from './ports/tracing.ts'
import { carriedBy, withTraceparent } from './trace-context.ts'

/** A machine whose decisions have spans. Commands that belong to no request, such as those of retention jobs, have none. */
export function decidingTraced<R, C, F, E>(
  tracing: Tracing,
  { decide }: Deciding<R, C, F, E>,
  { account, kind, id }: Key,
): Deciding<R, C, F, E> {
  if (tracing.active === null) return { decide }
  return {
    decide(record, command, facts) {
      const span = tracing.begin(`decide ${kind}`, {
        attributes: {
          ...{ 'tollgate.account': account, 'tollgate.record.kind': kind, 'tollgate.record.id': id },
          ...commandOf(command),
        },
      })
      try {
        const decision = decide(record, command, facts)
        span.set('refused' in decision ? { 'tollgate.refusal': decision.refused.code } : eventsOf(decision.events))
        return decision
      } catch (error) {
        span.fail(errorTypeOf(error))
        throw error
      } finally {
        span.end()
      }
    },
  }
}

interface Deciding<R, C, F, E> {
  readonly decide: (record: R | null, command: C, facts: F) => Decision<E, Refusal>
}

function commandOf(command: unknown) {
  const type = typeof command === 'object' && command !== null && 'type' in command ? command.type : null
  return typeof type === 'string' ? { 'tollgate.command': type } : {}
}

function eventsOf(events: readonly unknown[]) {
  return { 'tollgate.events': events.length }
}

/** A commit in progress, with the effects as they are stored: they carry the span of the commit. */
interface Committing {
  readonly writing: Promise<CommitResult>
  readonly effects: readonly StoredEffect[]
}

/** Commits with a span, which lasts as long as the commit waits for its group and the group for the disk. */
export function commitTraced(
  tracing: Tracing,
  store: Pick<Store, 'commit'>,
  commit: Commit,
  effects: readonly StoredEffect[],
): Committing {
  const { active } = tracing
  if (active === null) return { writing: store.commit(commit), effects }
  const { account, kind, id } = commit
  if (commit.expectedVersion === 0) tracing.remember(commit, active.traceparent)
  const span = tracing.begin('commit', {
    attributes: {
      ...{ 'tollgate.account': account, 'tollgate.record.kind': kind, 'tollgate.record.id': id },
      ...{ 'tollgate.events': commit.events.length, 'tollgate.commit.effects': effects.length },
    },
  })
  const carried = effects.map(effect => ({ ...effect, body: withTraceparent(effect.body, span.traceparent) }))
  const writing = store.commit({ ...commit, effects: carried })
  writing.then(
    result => {
      // The store has just reported the group of this commit; the next one needs another event-loop turn.
      const { groupSize } = tracing
      span.set({
        'tollgate.commit.result': result,
        ...(groupSize === null ? {} : { 'tollgate.commit.group_size': groupSize }),
      })
      span.end()
    },
    error => endFailed(span, error),
  )
  return { writing, effects: carried }
}

/** Performs an effect with a span. Its parent is the commit that asks for it, however long ago and in whichever process. */
export function performTraced<Outcome extends string>(
  tracing: Tracing,
  performer: (effect: StoredEffect) => Promise<Outcome>,
  stored: StoredEffect,
  attempt: number,
): Promise<Outcome> {
  const { effect, parent } = carriedBy(stored)
  const { account, kind, id, type } = effect
  // After a restart, reports and timers of the record continue its trace.
  if (parent !== null) tracing.remember(effect, parent)
  const span = tracing.begin(`effect ${type}`, {
    parent,
    attributes: {
      ...{ 'tollgate.account': account, 'tollgate.record.kind': kind, 'tollgate.record.id': id },
      ...{ 'tollgate.effect.type': type, 'tollgate.effect.attempt': attempt },
    },
  })
  return traced(
    tracing,
    span,
    () => performer(effect),
    outcome => ({ 'tollgate.effect.outcome': outcome }),
  )
}

/** Runs work within a span and ends the span with the work. @param told returns attributes of the result */
export async function traced<T>(
  tracing: Tracing,
  span: Span,
  work: () => Promise<T>,
  told: (result: T) => Parameters<Span['set']>[0] = () => ({}),
): Promise<T> {
  try {
    const result = await tracing.within(span, work)
    span.set(told(result))
    span.end()
    return result
  } catch (error) {
    endFailed(span, error)
    throw error
  }
}

function endFailed(span: Span, error: unknown): void {
  span.fail(errorTypeOf(error))
  span.end()
}

/** One word for an error. Its message may hold anything. */
function errorTypeOf(error: unknown): string {
  if (error instanceof Fault) return error.code
  return error instanceof Error ? error.name : 'Error'
}
