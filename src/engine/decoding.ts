// src/engine/decoding.ts — records and events as the store keeps them: whole, as JSON.
import type { EventEnvelope } from '../domain/machine.ts'
import { completedEvent, completedRecord } from './completion.ts'

/** A machine, as far as it says what its records are. */
export interface OfRecords<Record> {
  readonly kind: string
  indexColumnsOf(record: Record): unknown
}

/** The same of its events. */
export interface OfEvents<Event extends { readonly type: string }> {
  readonly kind: string
  effectsOf(event: Event, record: never): unknown
}

/** The record in a stored body, also in one that version 0.1 has shortened. */
export function decodeRecord<Record>({ kind }: OfRecords<Record>, body: string): Record {
  return completedRecord(kind, JSON.parse(body)) as Record
}

/**
 * What happened, from a stored body, also from one that version 0.1 has shortened.
 * @param hide leaves members out, as `JSON.parse` has it
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
