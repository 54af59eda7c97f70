// src/domain/machine.ts — state machines of records: states move only along their transitions.

/** Maps each state to its event types and the states that they lead to. Other events are refused. */
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
 * The state after an event.
 * @throws Error when there is no such transition. Decisions check `accepts` first, so this is a bug.
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
 * The states of machines side by side after an event. Each machine that has this event type in any state moves; the others
 * do not change.
 * @throws Error when such a machine has no transition from its state, see `next`
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

/** Whether each machine that has this event type in any state has a transition from its current one. */
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

/** Event types of each machine, collected on first use: folds are many, machines are few. */
const TYPES = new WeakMap<object, ReadonlySet<string>>()

function isKnownTo(transitions: Transitions<string, string>, type: string): boolean {
  const known = TYPES.get(transitions) ?? new Set(Object.values(transitions).flatMap(row => Object.keys(row)))
  TYPES.set(transitions, known)
  return known.has(type)
}

/** Result of a decision: events in order (none when nothing changes), or one refusal. */
export type Decision<Event, Refusal> = { readonly events: readonly Event[] } | { readonly refused: Refusal }

/** An event with its time (epoch milliseconds) and the sequence number of its report (0 when it has none). */
export interface EventEnvelope<Event> {
  readonly event: Event
  readonly at: number
  readonly report: number
}

/** Work outside the gateway after the commit: at least once, in order per record, with an id that never changes. */
export interface Effect<Payload = unknown> {
  /** `<record id>.<event number>.<type>`: the same after a crash, so that the other side recognises a repetition. */
  readonly id: string
  readonly type: string
  readonly payload: Payload
}

/** A durable timer: at `dueAt` (epoch milliseconds) the machine gets the time-out `name`. */
export interface Timer {
  readonly name: string
  readonly dueAt: number
}
