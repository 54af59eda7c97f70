// src/acquirers/none.ts — the acquirer of a gateway without one.
import { Fault } from '../engine/fault.ts'
import type { Acquirer } from '../engine/ports/acquirer.ts'

/** Neither approves, declines nor reverses: each call throws Fault `acquirer_missing`. */
export const NO_ACQUIRER: Acquirer = {
  name: 'none',
  authorise: refuse,
  capture: refuse,
  refund: refuse,
  verify: refuse,
  reverse: refuse,
}

async function refuse(order: { readonly orderId: string }): Promise<never> {
  throw new Fault('acquirer_missing', { detail: `Order ${order.orderId}` })
}
