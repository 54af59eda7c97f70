// src/engine/bodies.ts — records and events as they lie in the store: JSON, without what is as it is at the beginning. A
// sale that has just begun knows little, and what it does not know yet is three quarters of it.
import type { Happening } from '../domain/machine.ts'

/**
 * Members and what they begin with; an object stands for its own members, as far as it names them. It is part of what is
 * stored: a value that is in here once never changes, and a member that is in here is never undefined.
 */
export type Beginnings<T> = { readonly [Name in keyof T]?: T[Name] | Beginnings<T[Name]> }

/** A whole with some of its members undefined. All are named: one that is not would be lost. */
export type Shortened<T> = { readonly [Name in keyof Required<T>]: unknown }

/** How something lies in the store. */
export interface AtRest<T> {
  /** Written out, member by member: a loop over their names takes longer than to write all of them. */
  readonly shorten: (whole: T) => Shortened<T>
  readonly begins: Beginnings<T>
}

/** A member, unless it is as it begins; then it is left out. */
export function unless<T>(value: T, begins: T): T | undefined {
  return value === begins ? undefined : value
}

/** A machine, as far as it says what is left out of its records. */
export interface OfRecords<Record> {
  readonly atRest?: AtRest<Record>
  placeOf(record: Record): unknown
}

/** The same of its events, by their type. */
export interface OfEvents<Event extends { readonly type: string }> {
  readonly eventsAtRest?: { readonly [Type in Event['type']]?: AtRest<Extract<Event, { readonly type: Type }>> }
  effectsOf(event: Event, record: never): unknown
}

/** A record as it is stored. */
export function bodyOf<Record>({ atRest }: OfRecords<Record>, record: Record): string {
  return JSON.stringify(atRest === undefined ? record : atRest.shorten(record))
}

/** The record in a stored body. */
export function recordIn<Record>({ atRest }: OfRecords<Record>, body: string): Record {
  const stored: unknown = JSON.parse(body)
  return (atRest === undefined ? stored : completed(stored, atRest.begins)) as Record
}

/** What happened, as it is stored. */
export function eventBodyOf<Event extends { readonly type: string }>(
  machine: OfEvents<Event>,
  happening: Happening<Event>,
): string {
  const { event, at, report } = happening
  const atRest = eventAtRest(machine, event)
  return JSON.stringify(atRest === undefined ? happening : { event: atRest.shorten(event), at, report })
}

/**
 * What happened, from a stored body.
 * @param hide leaves members out, as `JSON.parse` has it
 */
export function happeningIn<Event extends { readonly type: string }>(
  machine: OfEvents<Event>,
  body: string,
  hide?: (name: string, value: unknown) => unknown,
): Happening<Event> {
  const happening = JSON.parse(body, hide) as Happening<Event>
  const atRest = eventAtRest(machine, happening.event)
  return atRest === undefined ? happening : { ...happening, event: completed(happening.event, atRest.begins) as Event }
}

function eventAtRest<Event extends { readonly type: string }>(
  { eventsAtRest }: OfEvents<Event>,
  { type }: Event,
): AtRest<Event> | undefined {
  return eventsAtRest?.[type as Event['type']] as AtRest<Event> | undefined
}

/** The members that were left out, at any depth at which `begins` names them, and those that are there. */
function completed(stored: unknown, begins: object): unknown {
  const whole = { ...begins, ...(stored as object) } as Record<string, unknown>
  for (const [name, value] of Object.entries(begins)) {
    const own = whole[name]
    if (isObject(value) && own !== value && isObject(own)) whole[name] = completed(own, value)
  }
  return whole
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
