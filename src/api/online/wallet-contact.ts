// src/api/online/wallet-contact.ts — reads payer details from the contacts of a wallet.

import { NO_ADDRESS, type PostalAddress } from '../../domain/online/access-token.ts'
import { type PayerDetails, refuseCards } from './card-request.ts'
import { type Fields, numericCodeIn } from './fields.ts'
import { readMetaData } from './metadata.ts'

const LONGEST = 255

/** Reads contacts leniently: a value that is not text counts as absent. Only a card number in them refuses the payment. */
export function readWalletPayer(fields: Fields): PayerDetails {
  const billing = fields.object('billingContact')
  const shipping = fields.object('shippingContact')
  const emailAddress = textIn(fields, 'email') || textIn(billing, 'emailAddress') || textIn(shipping, 'emailAddress')
  const phoneNumber = textIn(fields, 'phoneNumber') || textIn(billing, 'phoneNumber') || textIn(shipping, 'phoneNumber')
  const payer = {
    emailAddress: emailAddress || null,
    phoneNumber: phoneNumber || null,
    billingAddress: billing === null ? null : addressIn(billing),
    shippingDetails: shipping === null ? null : { name: nameIn(shipping), address: addressIn(shipping) },
    metaData: readMetaData(fields),
  }
  // All of it is stored and shown in clear.
  refuseCards(payer, PUBLISHED)
  return payer
}

/** Wallet names of our fields. */
const PUBLISHED = { emailAddress: 'email', billingAddress: 'billingContact', shippingDetails: 'shippingContact' }

function nameIn(contact: Fields): string {
  return textIn(contact, 'name') || `${textIn(contact, 'givenName')} ${textIn(contact, 'familyName')}`.trim()
}

function addressIn(contact: Fields): PostalAddress {
  const lines = contact.raw('addressLines')
  const [address1 = '', address2 = '', address3 = ''] = Array.isArray(lines)
    ? lines.map(plain)
    : ['address1', 'address2', 'address3'].map(name => textIn(contact, name))
  return {
    ...NO_ADDRESS,
    ...{ address1, address2, address3 },
    city: textIn(contact, 'locality'),
    state: textIn(contact, 'administrativeArea'),
    postcode: textIn(contact, 'postcode') || textIn(contact, 'postalCode'),
    // Wallets send ISO 3166-1 letters, this interface has digits. Letters are dropped.
    countryCode: numericCodeIn(contact.raw('countryCode')) ?? '',
  }
}

function textIn(fields: Fields | null, name: string): string {
  return plain(fields?.raw(name))
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, LONGEST) : ''
}
