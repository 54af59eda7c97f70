// src/engine/decoding.ts — decodes stored records and events, which are complete JSON.
import type { EventEnvelope } from '../domain/machine.ts'
import { completedEvent, completedRecord } from './completion.ts'

/** The part of a machine that types its records. */
export interface OfRecords<Record> {
  readonly kind: string
  indexColumnsOf(record: Record): unknown
}

/** The part of a machine that types its events. */
export interface OfEvents<Event extends { readonly type: string }> {
  readonly kind: string
  effectsOf(event: Event, record: never): unknown
}

/** Decodes a stored record. Adds the initial values that version 0.1 left out. */
export function decodeRecord<Record>({ kind }: OfRecords<Record>, body: string): Record {
  return completedRecord(kind, JSON.parse(body)) as Record
}

/**
 * Decodes a stored event. Adds the initial values that version 0.1 left out.
 * @param hide reviver for `JSON.parse`, to leave members out
 */
export function decodeEvent<Event extends { readonly type: string }>(
  { kind }: OfEvents<Event>,
  body: string,
  hide?: (name: string, value: unknown) => unknown,
): EventEnvelope<Event> {
  const envelope = JSON.parse(body, hide) as EventEnvelope<Event>
  const event = completedEvent(kind, envelope.event) as Event
  return event === envelope.event ? envelope : { ...envelope, event }
}
