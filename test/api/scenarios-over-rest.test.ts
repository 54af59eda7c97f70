// test/api/scenarios-over-rest.test.ts — the published scenarios over REST, in all three versions.
import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop } from '../support/shop.ts'
import type { Reply, Started } from '../support/till.ts'
import { type End, play, type Transport } from './scenario-run.ts'
import { type Asked, SCENARIO_TABLE } from './scenario-table.ts'

const PARTNER = { 'software-house-id': 's', 'installer-id': 'i' }

function rest(version: 'v0' | 'v1' | 'v2'): Transport {
  const older = version !== 'v2'
  const headersOf = (named: string) => ({ accept: `application/connect.${named}+json`, ...PARTNER })
  return {
    name: `REST ${version}`,
    older,
    async open() {
      const shop = await openShop({ headers: headersOf(version) })
      const start = async (asked: Asked, scenario: string) => {
        const headers = { ...headersOf(older && isNew(asked) ? 'v2' : version), 'tollgate-scenario': scenario }
        const reply = await shop.till.start(asked, { headers })
        equal(reply.status, 201, reply.text)
        const transaction = reply.json as unknown as Started
        const body = async () => (await shop.till.look(transaction)) as Readonly<Record<string, unknown>>
        return {
          told: async () => (await shop.till.look(transaction)).notifications.toReversed(),
          sign: async (accepted: boolean) => said(await shop.till.sign(transaction, accepted), 202),
          cancel: async () => said(await shop.till.cancel(transaction), 204),
          end: async () => endIn(await body()),
        }
      }
      return { shop, start }
    },
  }

  function said({ status, text }: Reply, yes: number) {
    if (!older) {
      equal(status, 202, text)
      return 'unsaid'
    }
    ok(status === yes || status === 422, text)
    return status === yes
  }
}

/** Whether only the newest version has this request. */
function isNew({ transactionType, amountCashback, cardholderNotPresent }: Asked): boolean {
  const known = ['SALE', 'REFUND', 'DUPLICATE'].includes(transactionType)
  return !known || amountCashback !== undefined || cardholderNotPresent !== undefined
}

function endIn(body: Readonly<Record<string, unknown>>): End | null {
  if (body['transactionResult'] === undefined) return null
  // Both spellings have one value.
  equal(body['cardholderVerificationMethod'], body['cardHolderVerificationMethod'])
  return {
    result: body['transactionResult'],
    read: `${body['paymentMethod']}/${body['cardholderVerificationMethod']}`,
    amounts: [body['amountBase'], body['amountCashback'], body['amountGratuity'], body['amountTotal']],
    type: body['transactionType'],
    userMessage: body['userMessage'],
    authCode: body['authCode'],
  }
}

test('every published row is in the table', () => {
  const rows = new Set(SCENARIO_TABLE.map(({ row }) => Number.parseInt(row, 10)).filter(Number.isInteger))
  // Row 11 is row 10 in the older versions.
  for (let row = 1; row <= 31; row += 1) ok(row === 11 || rows.has(row), String(row))
})

describe.each([rest('v0'), rest('v1'), rest('v2')])('over $name', transport => {
  test.each(SCENARIO_TABLE)('row $row goes as published', scenario => play(scenario, transport))
})
