// src/api/online/address.ts — reads the postal addresses of online requests.
import { NO_ADDRESS, type PostalAddress, type ShippingDetails } from '../../domain/online/access-token.ts'
import { LONGEST_ADDRESS_LINE, LONGEST_NAME } from '../../domain/online/payer-input.ts'
import { type Fields, readNumericCode } from './fields.ts'

/** Field names of an address: in an address object, and among the fields of a token request. */
const LINES = [
  ['address1', 'userAddress1'],
  ['address2', 'userAddress2'],
  ['address3', 'userAddress3'],
  ['address4', 'userAddress4'],
  ['city', 'userCity'],
  ['state', 'userState'],
  ['postcode', 'userPostcode'],
] as const satisfies readonly Part[]
const COUNTRY = ['countryCode', 'userCountryCode'] as const satisfies Part

const COUNTRY_CODE = 'the ISO 3166-1 number of a country, such as 826 for the United Kingdom'

type Part = readonly [keyof PostalAddress, string]

/** Reads an address object. Missing fields are empty. */
export function readAddress(fields: Fields): PostalAddress {
  return addressOf(fields, part => part[0])
}

/** Reads the address fields of a token request. Null when none of them is present. */
export function readUserAddress(fields: Fields): PostalAddress | null {
  return [...LINES, COUNTRY].some(([, name]) => fields.has(name)) ? addressOf(fields, part => part[1]) : null
}

export function readShipping(fields: Fields): ShippingDetails | null {
  const details = fields.object('shippingDetails')
  if (details === null) return null
  const address = details.object('address')
  return { name: details.text('name', LONGEST_NAME), address: address === null ? NO_ADDRESS : readAddress(address) }
}

function addressOf(fields: Fields, nameOf: (part: Part) => string): PostalAddress {
  const entries = LINES.map(part => [part[0], fields.text(nameOf(part), LONGEST_ADDRESS_LINE)] as const)
  const country = nameOf(COUNTRY)
  const countryCode = fields.has(country) ? readNumericCode(fields.raw(country), country, COUNTRY_CODE) : ''
  return { ...NO_ADDRESS, ...Object.fromEntries(entries), countryCode }
}
