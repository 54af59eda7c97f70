// src/api/merchant-hosts.ts — hosts of web shops, as requests give them.
import { Type } from 'typebox'
import { MOST_MERCHANT_HOSTS, merchantHostIn } from '../domain/accounts/merchant-account.ts'
import { type FieldFault, faultSaying } from './read/field-fault.ts'

/** @param description of the list */
export function merchantHostsSchema(description: string) {
  return Type.Array(Type.String({ maxLength: 255 }), { maxItems: MOST_MERCHANT_HOSTS, description })
}

/** The hosts in a list of names and URLs, in lower case and each once; or the fault of the first that is none. */
export function merchantHostsIn(given: readonly string[]): { readonly hosts: readonly string[] } | FieldFault {
  const hosts = given.map(merchantHostIn)
  const wrong = hosts.indexOf(null)
  if (wrong !== -1)
    return faultSaying(`merchantHosts.${wrong}`, 'is not a host name', 'the name of a host, such as my-shop.example')
  return { hosts: [...new Set(hosts.filter(host => host !== null))] }
}
