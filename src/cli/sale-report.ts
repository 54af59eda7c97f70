// src/cli/sale-report.ts — formats the result of a transaction for the user.

import type { NextStep, Verdict } from '../domain/counter/transaction-verdict.ts'
import { moneyText } from '../domain/currency.ts'
import { money } from '../domain/money.ts'
import { receiptText } from './receipt-text.ts'
import type { TransactionView } from './till.ts'

const MONEY: Readonly<Record<Verdict['moneyTaken'], string>> = {
  yes: 'Money has moved on the card.',
  no: 'No money has moved.',
  unknown: 'It is not known yet whether money has moved.',
}

const STEP: Readonly<Record<NextStep, string>> = {
  wait: 'Wait for the result.',
  decide_signature: 'Accept or refuse the signature.',
  settle_bill: 'Close the bill.',
  record_refund: 'Record the refund.',
  complete_pre_authorisation: 'The money is reserved: keep the code and take it with a completion.',
  accept_card: 'The card is valid.',
  try_again: 'It is safe to try again.',
  await_reconciliation: 'Do not try again until the gateway has resolved it.',
  check_terminal: 'Check the terminal, or request a DUPLICATE, before you try again.',
  compare_repeated: 'Compare the repeated result with the request.',
}

/** Formats result, card, message, verdict and customer receipt as one text. */
export function saleReport(view: TransactionView, verdict: Verdict | null, colourful: boolean): string {
  const lines = [resultLine(view)]
  if (view.userMessage) lines.push(view.userMessage)
  if (verdict !== null) lines.push(`${MONEY[verdict.moneyTaken]} ${STEP[verdict.nextStep]}`)
  const receipt = receiptText(view.receiptLines?.CUSTOMER ?? [], colourful)
  if (receipt !== '') lines.push('', receipt)
  return lines.join('\n')
}

function resultLine(view: TransactionView): string {
  const { transactionResult = 'UNKNOWN', currency = '', amountTotal = 0 } = view
  const card = [view.cardSchemeName, view.primaryAccountNumber].filter(Boolean).join(' ')
  const how = [view.paymentMethod, view.cardholderVerificationMethod].filter(word => word && word !== 'UNKNOWN')
  const parts = [
    moneyText(money(amountTotal, currency)),
    ...(card === '' ? [] : [how.length === 0 ? card : `${card} (${how.join(', ')})`]),
    ...(view.authCode ? [`code ${view.authCode}`] : []),
  ]
  return `${transactionResult}: ${parts.join(', ')}`
}
