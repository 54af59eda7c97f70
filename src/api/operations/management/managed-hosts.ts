// src/api/operations/management/managed-hosts.ts — management API: the hosts of the account's web shops.
import { Type } from 'typebox'
import { setMerchantHosts as setHosts } from '../../../services/provisioning/merchant-hosts.ts'
import { merchantHostsIn, merchantHostsSchema } from '../../merchant-hosts.ts'
import { accountOperation } from '../../operation.ts'
import { refusedFor } from '../../read/field-fault.ts'

const EXAMPLE = { merchantHosts: ['shop.example', 'www.shop.example'] }

export const setMerchantHosts = accountOperation({
  name: 'setMerchantHosts',
  summary: 'Set the hosts of the web shops of the account',
  description:
    'Replaces all earlier ones, at once: access tokens are made for pages of these hosts, and payment forms open there only. Of an ' +
    'address the host counts. `www.` is a host of its own.',
  tag: 'Account',
  area: 'management',
  method: 'PUT',
  path: '/api/account/merchant-hosts',
  right: 'configure',
  body: {
    schema: Type.Object({ merchantHosts: merchantHostsSchema('Empty: no access tokens can be made.') }),
    examples: { 'two hosts': EXAMPLE },
  },
  responses: {
    200: {
      description: 'The hosts, in lower case and each once.',
      schema: Type.Object({ merchantHosts: Type.Array(Type.String()) }),
      example: EXAMPLE,
    },
  },
  refusals: ['field_invalid', 'card_number_misplaced', 'account_unknown'],
  async run({ api, account }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const given = merchantHostsIn(read.value.merchantHosts)
    if ('invalid' in given) return refusedFor(given)
    const set = await setHosts(api, account.id, given.hosts)
    return 'refused' in set ? set : { status: 200, body: { merchantHosts: [...given.hosts] } }
  },
})
