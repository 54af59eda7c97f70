// src/api/operations/management/managed-events.ts — management API: the events of an account, as pages or as a stream.
import { Type } from 'typebox'
import { PEOPLE_KINDS } from '../../../engine/people-machines.ts'
import type { StoredEvent } from '../../../engine/ports/store.ts'
import { isHeldStill } from '../../keys/key-holder.ts'
import { EVENT, eventView } from '../../management-views.ts'
import { type AccountRequestContext, type Answer, accountOperation } from '../../operation.ts'
import { LIMIT } from '../../schemas.ts'

const DEFAULT_LIMIT = 100
const STREAM_TYPE = 'text/event-stream'

export const listEvents = accountOperation({
  name: 'listEvents',
  summary: 'Read the events of the account, or follow them',
  description:
    'Oldest first, after the given cursor. With `Accept: text/event-stream` the answer is a stream: first the events after the ' +
    'cursor, then new ones, without gaps or repetitions. `Last-Event-ID` takes precedence over `after`.',
  tag: 'Events',
  area: 'management',
  method: 'GET',
  path: '/api/events',
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Cursor of the last event received.' })),
    limit: LIMIT,
  }),
  headers: ['Last-Event-ID'],
  responses: {
    200: {
      description: 'A page, or a stream of server-sent events whose `id` is the cursor and whose data is an event.',
      schema: Type.Object({
        events: Type.Array(EVENT),
        next: Type.Integer({ description: 'Value of `after` for the next page.' }),
      }),
    },
  },
  refusals: ['field_invalid', 'header_invalid'],
  async run(context, { query }) {
    const after = query.after ?? 0
    if (/\btext\/event-stream\b/i.test(context.request.headers.accept ?? '')) return stream(context, after)
    const { api, account } = context
    const events = await api.store.eventsAfter(account.id, after, query.limit ?? DEFAULT_LIMIT)
    const shown = events.filter(({ kind }) => !PEOPLE_KINDS.includes(kind))
    return { status: 200, body: { events: shown.map(eventView), next: events.at(-1)?.cursor ?? after } }
  },
})

function stream(context: AccountRequestContext, after: number): Answer {
  const { api, account, request } = context
  const lastSeen = request.headers['last-event-id']
  if (lastSeen !== undefined && !/^\d{1,15}$/.test(String(lastSeen)))
    return {
      refused: {
        code: 'header_invalid',
        field: 'Last-Event-ID',
        detail: 'is not a cursor. It must be the id of an event.',
      },
    }
  if (!api.streams.hasRoomFor(account.id)) return { refused: { code: 'gateway_busy' } }
  const from = lastSeen === undefined ? after : Number(lastSeen)
  return {
    status: 200,
    mediaType: STREAM_TYPE,
    // Disables the buffering of proxies.
    headers: { 'x-accel-buffering': 'no' },
    stream: response =>
      void api.streams.open(
        { account: account.id, cursor: from, textOf: frameOf, mayGoOn: () => mayGoOn(context) },
        response,
      ),
  }
}

/** The stream of a user ends with the session, and that of an API key with the key. */
async function mayGoOn({ api, account, person, key }: AccountRequestContext): Promise<boolean> {
  if (person !== null) {
    const { session, secret } = person
    return (await api.people.sessions.find(account.id, session.id, secret)) !== null
  }
  return key !== null && isHeldStill(api, account.id, key)
}

/** Empty for what people do in the console: that is in the audit log, for owners. */
function frameOf(stored: StoredEvent): string {
  if (PEOPLE_KINDS.includes(stored.kind)) return ''
  const event = eventView(stored)
  return `id: ${event.cursor}\nevent: ${event.kind}.${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
