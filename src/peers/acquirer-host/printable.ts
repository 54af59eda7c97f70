// src/peers/acquirer-host/printable.ts — a message as a line, without any digit that must not be seen.
import type { Fields, Message } from './codec.ts'
import type { Dialect } from './dialect.ts'
import { requestIn } from './request.ts'

/** What a line shows of a message, by name. All other fields are left out. */
const SHOWN: readonly (readonly [field: number, name: string])[] = [
  ...([
    [3, 'processing'],
    [4, 'amount'],
    [49, 'currency'],
    [11, 'stan'],
    [41, 'terminal'],
    [37, 'reference'],
  ] as const),
  ...([
    [38, 'approval'],
    [39, 'code'],
    [66, 'settlement'],
    [70, 'network'],
    [24, 'function'],
  ] as const),
]

/** A line: what the message is, its card masked, and some of its fields. */
export function lineOf(message: Message, dialect: Dialect): string {
  const { name, card } = requestIn(message, dialect)
  const isAnswer = Number(message.mti.charAt(2)) % 2 === 1
  const words = [message.mti, ...(isAnswer || name === null ? [] : [name]), ...(card === null ? [] : [`card=${card}`])]
  return [...words, ...shown(message.fields)].join(' ')
}

function shown(fields: Fields): readonly string[] {
  return SHOWN.flatMap(([field, name]) => {
    const value = fields[field]?.replace(/[^\x21-\x7e]+/g, ' ').trim()
    return value ? [`${name}=${value}`] : []
  })
}
