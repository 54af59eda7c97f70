// test/api/socket/scenarios-over-socket.test.ts — the published scenarios over the socket, in both versions.
import { equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { connectTill, type Heard, openSocketShop, type SocketTill } from '../../support/socket-till.ts'
import { type End, type Followed, play, type Transport } from '../scenario-run.ts'
import { type Asked, SCENARIO_TABLE } from '../scenario-table.ts'

const TID = 'VCMDEMOSIP0'

const METHODS: Readonly<Record<string, string>> = {
  SALE: 'sale',
  REFUND: 'refund',
  PRE_AUTH: 'preAuth',
  COMPLETION: 'completion',
  ACCOUNT_VERIFICATION: 'accountVerification',
}

function socket(version: 'v0' | 'v1'): Transport {
  const older = version === 'v0'
  return {
    name: `socket ${version}`,
    older,
    async open() {
      const shop = await openSocketShop()
      const start = async (asked: Asked, scenario: string) => {
        const path = `/sandbox/terminals/${TID}/scenarios`
        const set = await shop.till.ask('POST', path, { body: { next: [scenario] } })
        equal(set.status < 300, true, set.text)
        // One connection per transaction, so that all its messages belong to it.
        const till = await connectTill(shop, { version })
        const { transactionType, ...params } = asked
        const id = till.request(METHODS[transactionType] ?? '', {
          [till.member]: TID,
          currency: 'GBP',
          amount: 0,
          ...params,
        })
        return follow(till, id)
      }
      return { shop, start }
    },
  }
}

/** Follows a transaction. Notifications are in the order of REST. */
function follow(till: SocketTill, sale: number): Followed {
  let signedAfter: number | null = null
  const told = () => {
    // The one difference: the socket sends it with the signature request, REST with the decision.
    const heard = till.notifications().filter(each => each !== 'SIGNATURE_VERIFICATION_IN_PROGRESS')
    return signedAfter === null ? heard : heard.toSpliced(signedAfter, 0, 'SIGNATURE_VERIFICATION_IN_PROGRESS')
  }
  return {
    async told() {
      await till.settle()
      return told()
    },
    async sign(accepted) {
      const inTime = !told().includes('SIGNATURE_VERIFICATION_TIMEOUT')
      if (inTime) signedAfter = told().length
      till.say({ jsonrpc: '2.0', id: till.questions()[0]?.id, result: { accepted } })
      await till.settle()
      return 'unsaid'
    },
    async cancel() {
      const { result, error } = await till.answerTo(till.request('cancelTransaction', { [till.member]: TID }))
      if (till.member === 'tid') equal(result?.['cancelling'], true)
      else equal(error?.code ?? -32072, -32072)
      return till.member === 'tid' ? 'unsaid' : result?.['cancelled'] === true
    },
    async end() {
      await till.settle()
      const answer = till.heard.find(({ id, method }) => id === sale && method === undefined)
      return answer === undefined ? null : endIn(answer)
    },
  }
}

function endIn({ result = {}, error }: Heard): End {
  equal(error, undefined)
  return {
    result: result['transactionResult'],
    read: `${result['paymentMethod']}/${result['cardholderVerificationMethod']}`,
    amounts: [result['amountBase'], result['amountCashback'], result['amountGratuity'], result['amountTotal']],
    type: result['transactionType'],
    userMessage: result['userMessage'],
    authCode: result['authCode'],
  }
}

/** Without duplicates, which push nothing: see counter.test.ts. */
const TOLD = SCENARIO_TABLE.filter(({ asked }) => asked.transactionType !== 'DUPLICATE')
/** Requests that v0 has. */
const OLDER = TOLD.filter(({ asked: { transactionType, amountCashback, cardholderNotPresent } }) => {
  const known = transactionType === 'SALE' || transactionType === 'REFUND'
  return known && amountCashback === undefined && cardholderNotPresent === undefined
})

describe('over the socket in v1', () => {
  test.each(TOLD)('row $row goes as published', scenario => play(scenario, socket('v1')))
})

describe('over the socket in v0', () => {
  test.each(OLDER)('row $row goes as published', scenario => play(scenario, socket('v0')))
})
