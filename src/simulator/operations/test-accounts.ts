// src/simulator/operations/test-accounts.ts — opens private test accounts, for anybody. The demo account is shared.
import { Type } from 'typebox'
import { openOperation } from '../../api/operation.ts'
import { CURRENCY, EXAMPLE } from '../../api/schemas.ts'

export const openTestAccount = openOperation({
  name: 'openTestAccount',
  summary: 'Open a private test account with its own key and terminals',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/accounts',
  body: {
    schema: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 24, description: 'First line of its receipts.' })),
      currency: Type.Optional(CURRENCY),
      timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA name, such as Europe/London.' })),
    }),
    optional: true,
    examples: { 'a shop in Dublin': { name: 'My Shop', currency: 'EUR', timeZone: 'Europe/Dublin' } },
  },
  responses: {
    201: {
      description: 'The account. Its key is shown this once.',
      schema: Type.Object({
        account: Type.String(),
        key: Type.String({ description: 'Password of Basic authentication.' }),
        terminals: Type.Array(Type.String()),
      }),
      example: { account: 'test-abcd', key: 'tg_…', terminals: [EXAMPLE.tid] },
    },
  },
  refusals: ['gateway_busy'],
  async run({ api }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { name = 'Test Shop', currency = 'GBP', timeZone = null } = read.value
    if (timeZone !== null && !isTimeZone(timeZone)) return { refused: { code: 'field_invalid', field: 'timeZone' } }
    if (!api.testAccounts.take(api.clock.now())) return { refused: { code: 'gateway_busy' } }
    if (api.openTestAccount === null) throw new Error('there are no test accounts in live mode')
    const opened = await api.openTestAccount({ name, currency, timeZone })
    if ('refused' in opened) return opened
    return { status: 201, body: { ...opened, terminals: [...opened.terminals] } }
  },
})

function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && Intl.DateTimeFormat('en-GB', { timeZone: name }) !== null
  } catch {
    return false
  }
}
