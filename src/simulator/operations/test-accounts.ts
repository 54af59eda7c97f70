// src/simulator/operations/test-accounts.ts — opens private test accounts, for anybody. The demo account is shared.

import { Type } from 'typebox'
import { merchantHostsIn, merchantHostsSchema } from '../../api/merchant-hosts.ts'
import { accountOperation, openOperation } from '../../api/operation.ts'
import { faultSaying, refusedFor } from '../../api/read/field-fault.ts'
import { CURRENCY, EXAMPLE } from '../../api/schemas.ts'
import { closeAccount } from '../../services/provisioning/account-closing.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'

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
      merchantHosts: Type.Optional(
        merchantHostsSchema('Hosts of its web shops, for `merchantUrl`. Default: shop.example.'),
      ),
    }),
    optional: true,
    examples: {
      'a shop in Dublin': { name: 'My Shop', currency: 'EUR', timeZone: 'Europe/Dublin' },
      'a web shop': { merchantHosts: ['my-shop.example'] },
    },
  },
  responses: {
    201: {
      description: 'The account. Its key is shown only here.',
      schema: Type.Object({
        account: Type.String(),
        key: Type.String({ description: 'Password of Basic authentication.' }),
        keyId: Type.String({ description: 'Id of the key: `apiKey` in JWTs that the account signs itself.' }),
        jwt: Type.String({ description: 'Bearer token of its web shop, for this base URL of the gateway.' }),
        merchantHosts: Type.Array(Type.String(), { description: 'Hosts for `merchantUrl`.' }),
        terminals: Type.Array(Type.String()),
      }),
      example: {
        account: 'test-abcd',
        key: 'tg_…',
        keyId: '0e9f7a52-9f2c-4c1e-8f57-3a1f5d1c2b40',
        jwt: 'eyJ…',
        merchantHosts: ['shop.example'],
        terminals: [EXAMPLE.tid],
      },
    },
  },
  refusals: ['gateway_busy'],
  async run({ api, base }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { name = 'Test Shop', currency = 'GBP', timeZone = null } = read.value
    if (timeZone !== null && !isTimeZone(timeZone))
      return refusedFor(faultSaying('timeZone', 'is unknown', 'the IANA name of a time zone, such as Europe/London'))
    const given = merchantHostsIn(read.value.merchantHosts ?? [])
    if ('invalid' in given) return refusedFor(given)
    const merchantHosts = given.hosts.length === 0 ? null : given.hosts
    if (!api.testAccounts.take(api.clock.now())) return { refused: { code: 'gateway_busy' } }
    if (api.openTestAccount === null) throw new Error('there are no test accounts in live mode')
    const opened = await api.openTestAccount({ name, currency, timeZone, merchantHosts, audience: base })
    if ('refused' in opened) return opened
    const lists = { merchantHosts: [...opened.merchantHosts], terminals: [...opened.terminals] }
    return { status: 201, body: { ...opened, ...lists } }
  },
})

export const closeTestAccount = accountOperation({
  name: 'closeTestAccount',
  summary: 'Close a private test account permanently',
  description:
    'Its keys, tokens and terminals stop working at once, and its connections are closed. Sales that wait for a card are ' +
    'cancelled; others end at their terminals or time out. The id is never reused. Shared accounts cannot be closed.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/accounts/{account}',
  right: 'own',
  responses: { 204: { description: 'The account is closed. Its records stay.' } },
  refusals: ['account_unknown', 'account_shared'],
  async run({ api, account }, { params }) {
    if (params.account !== account.id) return { refused: { code: 'account_unknown' } }
    if (account.public) return { refused: { code: 'account_shared' } }
    const closed = await closeAccount(api, account.id)
    if ('refused' in closed) return closed
    // What runs on a frozen clock would never end.
    await sandboxOf(api).clocks.release(account.id)
    api.log.info({ account: account.id }, 'test account closed')
    return { status: 204 }
  },
})

function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && Intl.DateTimeFormat('en-GB', { timeZone: name }) !== null
  } catch {
    return false
  }
}
