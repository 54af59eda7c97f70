// src/peers/acquirer-host/cash.ts — the cash that a sale pays out: in its processing code and in its additional amounts (54).
import type { Fields } from './codec.ts'

/** Account, kind of amount, currency, sign, amount. */
const BLOCK = /^\d{2}(\d{2})\d{3}([CD])(\d{12})$/
const BLOCK_LENGTH = 20
const CASH = '40'
const WITH_CASH = '09'

/** Digits of the cash; null for none, or for blocks that are packed otherwise. */
export function cashIn({ 54: text = '' }: Fields): string | null {
  for (let at = 0; at + BLOCK_LENGTH <= text.length; at += BLOCK_LENGTH) {
    const [, kind, , amount] = BLOCK.exec(text.slice(at, at + BLOCK_LENGTH)) ?? []
    if (kind === CASH && amount !== undefined) return amount
  }
  return null
}

/** Whether processing code and cash fit together: cash is a part of the amount. */
export function isCashInOrder(fields: Fields): boolean {
  const cash = cashIn(fields)
  const isAnnounced = fields[3]?.startsWith(WITH_CASH) === true
  if (cash === null) return !isAnnounced
  return isAnnounced && Number(cash) > 0 && Number(cash) < Number(fields[4] ?? 0)
}
