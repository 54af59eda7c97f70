// src/acquirers/iso8583/orders/repeated-values.ts — the values of an order that are sent again: as they were, with the card from the vault.
import type { Values } from '../compose.ts'
import type { OrderNote } from './journal.ts'
import { sealedCard } from './order-card.ts'
import type { OrderParts } from './order-parts.ts'
import { reversalValues } from './order-values.ts'

/** Number and expiry are missing once the vault has forgotten them. @throws Error for an order that was not sent */
export async function repeatedValues(
  { dialect, vault }: Pick<OrderParts, 'dialect'> & { readonly vault: Pick<OrderParts['vault'], 'openText'> },
  note: OrderNote,
): Promise<Values> {
  const { account, card } = note
  const sealed = card === null ? null : await vault.openText(account, 'acquirer-card', card)
  return { ...reversalValues(dialect, note), ...(sealed === null ? {} : sealedCard(sealed)) }
}
