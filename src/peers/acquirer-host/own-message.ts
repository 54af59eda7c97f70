// src/peers/acquirer-host/own-message.ts — messages that the host sends of its own accord.
import type { Message } from './codec.ts'
import type { Dialect, MessageName } from './dialect.ts'
import type { Request } from './request.ts'

export interface OwnFacts {
  /** Epoch milliseconds. */
  readonly now: number
  readonly stan: number
  /** The latest request of the connection, for terminal and institution. */
  readonly like: Request | null
}

/** A message as the dialect describes it. @throws Error when the dialect has none of this name */
export function ownMessage(name: MessageName, { messages, packing }: Dialect, { now, stan, like }: OwnFacts): Message {
  const form = messages.find(each => each.name === name)
  if (form === undefined) throw new Error(`The dialect has no message ${name}.`)
  const digits = new Date(now).toISOString().replace(/\D/g, '')
  const known: Readonly<Record<number, string | undefined>> = {
    ...{ 7: digits.slice(4, 14), 11: String(stan).padStart(6, '0'), 13: digits.slice(4, 8) },
    12: packing.standard === '1987' ? digits.slice(8, 14) : digits.slice(2, 14),
    ...{ 24: like?.fields[24], 32: like?.fields[32], 41: like?.fields[41], 42: like?.fields[42] },
    ...form.set,
  }
  const fields: Record<number, string> = {}
  for (const { oneOf } of form.fields)
    for (const number of oneOf) {
      const value = known[number]
      if (value !== undefined) fields[number] = value
    }
  return { mti: form.mti, fields: { ...fields, ...form.set } }
}
