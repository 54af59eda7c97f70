// test/simulation/soak/socket-clerk.ts — a clerk at a till on a socket, who sends requests and answers signature requests.

import type { TransactionType } from '../../../src/domain/counter/transaction-events.ts'
import { REPORT_TYPES } from '../../../src/domain/reports/report.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'
import type { Json, SocketTill } from '../../support/socket-till.ts'
import { type Clerk, MOST_AT_ONCE } from './clerk.ts'
import { aWish, happens, oneOf, type Wish } from './wishes.ts'

const METHODS: Readonly<Record<TransactionType, string>> = {
  SALE: 'sale',
  REFUND: 'refund',
  PRE_AUTH: 'preAuth',
  COMPLETION: 'completion',
  ACCOUNT_VERIFICATION: 'accountVerification',
  DUPLICATE: 'duplicate',
}

export interface Asked {
  readonly id: number
  readonly method: string
  readonly tid: string
}

export interface SocketClerk extends Clerk {
  /** Installer id that marks its transactions. */
  readonly name: string
  readonly till: SocketTill
  /** All requests, in order. */
  readonly asked: readonly Asked[]
}

export function createSocketClerk(
  name: string,
  till: SocketTill,
  tids: readonly string[],
  random: SeededRandom,
): SocketClerk {
  const asked: Asked[] = []
  const open = new Map<number, Asked>()
  const authCodes: string[] = []
  let heard = 0

  function request(method: string, tid: string, params: Json = {}): void {
    const request = { id: till.request(method, { tid, ...params }), method, tid }
    asked.push(request)
    open.set(request.id, request)
  }

  function hear(): void {
    for (const { id, method, result } of till.heard.slice(heard)) {
      if (method === 'signatureVerificationRequest' && !happens(random, 8))
        till.say({ jsonrpc: '2.0', id, result: { accepted: !happens(random, 4) } })
      if (method !== undefined || id === undefined) continue
      if (open.get(id)?.method === 'preAuth' && result?.['authCode']) authCodes.push(String(result['authCode']))
      open.delete(id)
    }
    heard = till.heard.length
  }

  return {
    name,
    till,
    asked,
    get underWay() {
      return open.size
    },
    async act(isOpen) {
      hear()
      for (const { tid } of [...open.values()]) if (happens(random, 25)) request('cancelTransaction', tid)
      if (!isOpen) return
      // Any till may cancel what another one has started.
      if (happens(random, 100)) request('cancelTransaction', oneOf(random, tids))
      if (happens(random, 100)) request('terminalDetails', oneOf(random, tids))
      if (happens(random, 40)) request('report', oneOf(random, tids), { reportType: oneOf(random, REPORT_TYPES) })
      if (open.size < MOST_AT_ONCE) begin(aWish(random, tids, authCodes))
    },
  }

  function begin({ tid, transactionType, ...requested }: Wish): void {
    request(METHODS[transactionType], tid, paramsOf(transactionType, requested))
  }
}

function paramsOf(type: TransactionType, requested: Json): Json {
  return type === 'ACCOUNT_VERIFICATION' ? { currency: 'GBP', amount: 0 } : requested
}
