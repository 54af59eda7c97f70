// test/crash/connected/counter.ts — payments at nexo terminals, followed to their end across deaths of the gateway.
import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TransactionBody } from '../../../src/api/transaction-body.ts'
import type { Terminal } from '../../../src/domain/accounts/terminal.ts'
import type { Entry } from '../../../src/peers/nexo-terminal/ledger.ts'
import type { Script } from '../../support/nexo-script.ts'
import { PATIENCE_MS } from '../mortal-gateway.ts'
import type { ConnectedTown } from './town.ts'

export interface CounterOrder {
  readonly transactionType: 'SALE' | 'REFUND'
  readonly amount: number
  /** What the terminal does with it. */
  readonly script?: Script
  /** The till cancels it as soon as it is started. */
  readonly isCancelled?: boolean
}

export interface CounterEnd {
  readonly result: TransactionBody['transactionResult']
  /** Money that the till was told of: positive to the merchant. */
  readonly told: number
  /** Payments that the terminal made for it. */
  readonly charges: readonly number[]
}

/** Pays at a terminal. @throws AssertionError when an answer contradicts an earlier one */
export async function payAtCounter(town: ConnectedTown, terminal: Terminal, order: CounterOrder): Promise<CounterEnd> {
  const { line, peer } = town
  const { transactionType, amount, script, isCancelled = false } = order
  if (script !== undefined) await peer.script(terminal, script)
  const headers = { 'idempotency-key': randomUUID() }
  const path = `/pac/terminals/${terminal.tid}/transactions`
  const body = { transactionType, amount, currency: 'GBP' }
  const started = await line.insist('POST', path, { headers, body })
  equal(started.status, 201, started.text)
  const { requestId } = JSON.parse(started.text) as { readonly requestId: string }
  const address = `${path}/${requestId}`
  if (isCancelled) equal((await line.insist('DELETE', address)).status, 202)
  const end = await town.gateway.patiently(`the end of ${address}`, PATIENCE_MS.payment, endOf(town, address))
  deepEqual(await endOf(town, address), end)
  const sign = transactionType === 'REFUND' ? -1 : 1
  const entries = await peer.entries(terminal)
  const own = entries.filter(({ saleTransactionId }) => saleTransactionId === requestId.replaceAll('-', ''))
  return {
    result: end.transactionResult,
    told: end.transactionResult === 'SUCCESSFUL' ? sign * (end.amountTotal ?? 0) : 0,
    charges: own.map(movedBy).filter(minor => minor !== 0),
  }
}

function movedBy({ state, takenMinor }: Entry): number {
  return state === 'charged' ? takenMinor : state === 'refunded' ? -takenMinor : 0
}

async function endOf({ line }: ConnectedTown, path: string): Promise<TransactionBody> {
  for (;;) {
    const { status, text } = await line.insist('GET', path, { headers: { prefer: 'wait=5' } })
    equal(status, 200, text)
    const body = JSON.parse(text) as TransactionBody
    if (body.transactionResult !== undefined) return body
  }
}
