// src/domain/machine.ts — how a record's states move: along its transitions and no other way.

/** A row is a state; a cell is an event type and the state it leads to. What is not in the row is refused. */
export type Transitions<State extends string, EventType extends string> = Readonly<
  Record<State, Readonly<Partial<Record<EventType, State>>>>
>

/** Whether an event of this type may happen in this state. */
export function accepts<State extends string, EventType extends string>(
  transitions: Transitions<State, EventType>,
  state: State,
  type: EventType,
): boolean {
  return transitions[state][type] !== undefined
}

/**
 * The state an event leads to.
 * @throws Error when there is no such transition. Whoever decides asks `accepts` first, so this is a bug.
 */
export function next<State extends string, EventType extends string>(
  transitions: Transitions<State, EventType>,
  state: State,
  type: EventType,
): State {
  const to = transitions[state][type]
  if (to === undefined) throw new Error(`illegal move: ${type} in state ${state}`)
  return to
}

/** Machines that run side by side in one record: the member that holds a state, and its transitions. */
export type SideBySide<States extends object, EventType extends string> = {
  readonly [Member in keyof States]: Transitions<Extract<States[Member], string>, EventType>
}

/**
 * The states of machines that run side by side after an event. Each machine that has a transition of this type anywhere
 * makes it, the others stay as they are.
 * @throws Error when such a machine has none from its state, see `next`
 */
export function moved<States extends object, EventType extends string>(
  machines: SideBySide<States, EventType>,
  states: States,
  type: EventType,
): States {
  const after: Partial<States> = {}
  for (const member of Object.keys(machines) as (keyof States)[]) {
    const transitions: Transitions<Extract<States[typeof member], string>, EventType> = machines[member]
    const state = states[member] as Extract<States[typeof member], string>
    after[member] = isKnownTo(transitions, type) ? next(transitions, state, type) : state
  }
  return after as States
}

/** Whether each of the machines that know this event has such a transition from its state. */
export function allows<States extends object, EventType extends string>(
  machines: SideBySide<States, EventType>,
  states: States,
  type: EventType,
): boolean {
  return (Object.keys(machines) as (keyof States)[]).every(member => {
    const transitions: Transitions<Extract<States[typeof member], string>, EventType> = machines[member]
    return (
      !isKnownTo(transitions, type) ||
      accepts(transitions, states[member] as Extract<States[typeof member], string>, type)
    )
  })
}

/** Event types of each machine, collected when it is first asked for: folds are many, machines are few. */
const TYPES = new WeakMap<object, ReadonlySet<string>>()

function isKnownTo(transitions: Transitions<string, string>, type: string): boolean {
  const known = TYPES.get(transitions) ?? new Set(Object.values(transitions).flatMap(row => Object.keys(row)))
  TYPES.set(transitions, known)
  return known.has(type)
}

/** What deciding gives: events to happen in this order (none means that nothing changes), or one refusal. */
export type Decision<Event, Refusal> = { readonly events: readonly Event[] } | { readonly refused: Refusal }

/** An event with when it happened (epoch milliseconds) and the number of the report that brought it (0: our own). */
export interface EventEnvelope<Event> {
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
