// src/api/timeline.ts — merges the events of a record and its recorded exchanges in order of time.

import { type Static, Type } from 'typebox'
import type { Notification } from '../domain/counter/notifications.ts'
import { notificationsOf } from '../domain/counter/transaction-notifications.ts'
import { redacted } from '../domain/redaction.ts'
import { decodeEvent } from '../engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { StoredEvent } from '../engine/ports/store.ts'
import type { RecordedExchange } from './interceptor.ts'
import { utcTimeOf } from './local-time.ts'
import { eventView } from './management-views.ts'
import { nullable, oneOf, TIME } from './schemas.ts'

const PARTICIPANT = oneOf(['till', 'gateway', 'terminal', 'acquirer'])

export const TIMELINE_ENTRY = Type.Object(
  {
    at: TIME,
    from: PARTICIPANT,
    to: nullable(PARTICIPANT),
    what: Type.String({ description: 'Name of the message, or type of the event.' }),
    version: nullable(Type.Integer({ description: 'Version of the record after an event; null for messages.' })),
    notifications: Type.Array(Type.String(), {
      description: 'Notifications to the till from the event, oldest first.',
    }),
    data: Type.Unsafe<unknown>({ description: 'Without secrets and card numbers.' }),
    answer: Type.Unsafe<unknown>({ description: 'The reply; null without one.' }),
    answeredAt: nullable(TIME),
    times: Type.Integer({ description: 'Number of repetitions in a row.' }),
    requestId: Type.Optional(
      Type.String({ description: 'Payment of the entry, in the timeline of a table with its payments.' }),
    ),
  },
  { $id: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TIMELINE_ENTRY>

/**
 * Merges events into the recorded exchanges. Without a recorder, and for exchanges before a restart, there are only events.
 * @param readNotifications returns the notifications that an event sends to the till
 */
export function timelineOf(
  events: readonly StoredEvent[],
  exchanges: readonly RecordedExchange[],
  readNotifications: NotificationReader = tellingTheTill(),
): readonly TimelineEntry[] {
  const entries = eventEntries(events, readNotifications)
  const marked = new Set(exchanges.map(({ version }) => version))
  const unmarked = entries.filter(({ version }) => !marked.has(version))
  const timeline: TimelineEntry[] = []
  for (const exchange of exchanges) {
    while (unmarked[0] !== undefined && Date.parse(unmarked[0].at) < exchange.at)
      timeline.push(...unmarked.splice(0, 1))
    const { version } = exchange
    if (version === null) timeline.push(exchangeEntry(exchange))
    else timeline.push(...entries.filter(entry => entry.version === version))
  }
  return [...timeline, ...unmarked]
}

/** Merges timelines by time, and at the same time in the order of the list. */
export function mergedTimelines(timelines: readonly (readonly TimelineEntry[])[]): readonly TimelineEntry[] {
  return timelines.flat().toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** Returns the notifications that an event sends to the till. */
type NotificationReader = (stored: StoredEvent) => readonly string[]

function tellingTheTill(): NotificationReader {
  const sent: Notification[] = []
  return ({ body }) => {
    const { event } = decodeEvent(TERMINAL_TRANSACTION, body)
    const notifications = notificationsOf(event, sent)
    sent.push(...notifications)
    return notifications
  }
}

function eventEntries(events: readonly StoredEvent[], readNotifications: NotificationReader): readonly TimelineEntry[] {
  return events.map(stored => {
    const { at, type, version, data } = eventView(stored)
    return {
      ...{ at, from: 'gateway', to: null, what: type, version, notifications: [...readNotifications(stored)] },
      ...{ data: redacted(data), answer: null, answeredAt: null, times: 1 },
    }
  })
}

function exchangeEntry({ at, from, to, what, data, answer, answeredAt, times }: RecordedExchange): TimelineEntry {
  return {
    ...{ at: utcTimeOf(at), from, to, what, version: null, notifications: [], data, answer, times },
    answeredAt: answeredAt === null ? null : utcTimeOf(answeredAt),
  }
}
