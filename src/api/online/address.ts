// src/api/online/address.ts — postal addresses as the online interface writes them. Online reference 3.2.1.
import { NO_ADDRESS, type PostalAddress, type ShippingDetails } from '../../domain/online/access-token.ts'
import { type Fields, wrong } from './fields.ts'

const LONGEST_LINE = 100
const LONGEST_NAME = 255

/** What each part of an address is called in an object, and in the token request. */
const PARTS = [
  ['address1', 'userAddress1'],
  ['address2', 'userAddress2'],
  ['address3', 'userAddress3'],
  ['address4', 'userAddress4'],
  ['city', 'userCity'],
  ['state', 'userState'],
  ['postcode', 'userPostcode'],
  ['countryCode', 'userCountryCode'],
] as const satisfies readonly (readonly [keyof PostalAddress, string])[]

/** An address object; what is missing is empty. */
export function readAddress(fields: Fields): PostalAddress {
  return addressOf(fields, part => part[0])
}

/** The address among the fields of a token request; null when no field of it was given. */
export function readUserAddress(fields: Fields): PostalAddress | null {
  return PARTS.some(([, name]) => fields.has(name)) ? addressOf(fields, part => part[1]) : null
}

export function readShipping(fields: Fields): ShippingDetails | null {
  const details = fields.object('shippingDetails')
  if (details === null) return null
  const address = details.object('address')
  return { name: details.text('name', LONGEST_NAME), address: address === null ? NO_ADDRESS : readAddress(address) }
}

function addressOf(fields: Fields, nameOf: (part: (typeof PARTS)[number]) => string): PostalAddress {
  const entries = PARTS.map(part => [part[0], fields.text(nameOf(part), LONGEST_LINE)] as const)
  const address: PostalAddress = { ...NO_ADDRESS, ...Object.fromEntries(entries) }
  // ISO 3166 numeric, leading zeros included. Online reference 3.2 note 4.
  if (!/^(\d{3})?$/.test(address.countryCode)) wrong(nameOf(PARTS[7]))
  return address
}
