// src/simulator/terminals/amounts-due.ts — the amounts that a terminal is going to charge, with gratuity and cashback. Pure.
import { type Amounts, totalOf } from '../../domain/money.ts'
import { testCardOf } from '../cards/test-cards.ts'
import type { Running } from './device.ts'

type Due = Pick<Running, 'request' | 'setup' | 'faults' | 'amounts' | 'presented'>

/** Amounts that a card would be charged. Cashback needs a present cardholder, a shop that offers it and a card that allows it. */
export function amountsFor({ request, setup, faults, amounts }: Due, cardToken: string): Amounts {
  const paidOut = paysOut({ request, setup, faults }) && testCardOf(cardToken)?.cashback === true
  return {
    ...amounts,
    baseMinor: amounts.baseMinor + faults.chargesMoreMinor,
    cashbackMinor: paidOut ? request.cashbackMinor : 0,
  }
}

/** Sum on the screen: until a card is presented, with the cashback that the shop offers. Minor units. */
export function totalDue(running: Due): number {
  const { request, amounts, presented } = running
  if (request.transactionType === 'ACCOUNT_VERIFICATION') return 0
  if (presented !== null || !paysOut(running)) return totalOf(amounts)
  return totalOf({ ...amounts, cashbackMinor: request.cashbackMinor })
}

function paysOut({ request, setup, faults }: Pick<Due, 'request' | 'setup' | 'faults'>): boolean {
  return setup.settings.cashbackAllowed && !faults.refusesCashback && !request.cardholderNotPresent
}
