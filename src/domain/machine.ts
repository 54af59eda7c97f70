// src/domain/machine.ts — states live in tables; this is how a table is read.

/** A row is a state; a cell is an event type and the state it leads to. What is not in the row is refused. */
export type Table<State extends string, EventType extends string> = Readonly<
  Record<State, Readonly<Partial<Record<EventType, State>>>>
>

/** Whether an event of this type may happen in this state. */
export function accepts<State extends string, EventType extends string>(
  table: Table<State, EventType>,
  state: State,
  type: EventType,
): boolean {
  return table[state][type] !== undefined
}

/**
 * The state an event leads to.
 * @throws Error when the table has no such move. Whoever decides asks `accepts` first, so this is a bug.
 */
export function next<State extends string, EventType extends string>(
  table: Table<State, EventType>,
  state: State,
  type: EventType,
): State {
  const to = table[state][type]
  if (to === undefined) throw new Error(`illegal move: ${type} in state ${state}`)
  return to
}

/** What deciding gives: events to happen in this order (none means that nothing changes), or one refusal. */
export type Decision<Event, Refusal> = { readonly events: readonly Event[] } | { readonly refused: Refusal }

/** An event with when it happened (epoch milliseconds) and the number of the report that brought it (0: our own). */
export interface Happening<Event> {
  readonly event: Event
  readonly at: number
  readonly report: number
}

/** Work to be done in the world after the commit: at least once, in order per record, with an id that never changes. */
export interface Effect<Payload = unknown> {
  /** `<record id>.<event number>.<type>`: the same after a crash, so the other side can recognise a repetition. */
  readonly id: string
  readonly type: string
  readonly payload: Payload
}

/** A durable alarm: at `dueAt` (epoch milliseconds) the machine is told that time `name` is up. */
export interface Timer {
  readonly name: string
  readonly dueAt: number
}
