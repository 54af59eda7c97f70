// src/three-d-secure/emv/directory-document.ts — the document with which an operator describes a directory server.
import { type Static, Type } from 'typebox'
import { CARD_SCHEMES, type CardScheme } from '../../domain/card-number.ts'
import { AREQ } from './areq-members.ts'
import { MERCHANT_WISHES } from './challenge-wishes.ts'
import { LATER_PAYMENTS } from './later-payments.ts'
import { VERSIONS, type Version } from './versions.ts'

const address = Type.String({ pattern: '^https://[^\\s@\\\\]+$', maxLength: 2048, description: 'An https address.' })
const version = Type.Unsafe<Version>({ type: 'string', enum: [...VERSIONS] })
const file = Type.String({ minLength: 1, maxLength: 1024, description: 'A file, from the folder of this document on.' })
const limit = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }))

const scheme = Type.Unsafe<CardScheme>({ type: 'string', enum: [...CARD_SCHEMES] })
const members = Type.Optional(Type.Array(Type.Unsafe<keyof typeof AREQ>({ type: 'string', enum: Object.keys(AREQ) })))

const text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description: `1 to ${maxLength} characters.` })
const digits = (least: number, most: number) =>
  Type.String({
    pattern: `^[0-9]{${least},${most}}$`,
    description: least === most ? `${least} digits.` : `${least} to ${most} digits.`,
  })

/** The merchant at this directory server. Values that the authorisation also has must be the same there. */
export const REQUESTOR = Type.Object({
  requestorId: text(35),
  requestorName: text(40),
  requestorUrl: Type.String({ pattern: '^https?://[^\\s@\\\\]+$', maxLength: 2048, description: 'A web address.' }),
  acquirerBin: digits(1, 11),
  acquirerMerchantId: text(35),
  acquirerCountry: Type.Optional(digits(3, 3)),
  merchantCategoryCode: digits(4, 4),
  country: digits(3, 3),
  merchantName: text(40),
})
export type Requestor = Static<typeof REQUESTOR>

/** What is needed to authenticate payers, besides loading card ranges. */
const AUTHENTICATION = Type.Object({
  scheme,
  areqUrls: Type.Array(address, { minItems: 1, maxItems: 2 }),
  resultsUrl: address,
  onUnknownRange: Type.Optional(Type.Unsafe<'not_enrolled' | 'ask'>({ type: 'string', enum: ['not_enrolled', 'ask'] })),
  erro305AsNotEnrolled: Type.Optional(Type.Boolean()),
  require: members,
  forbid: members,
})

const account = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description: 'A merchant account.' })

/** The port to which the directory server sends results of challenges, and the certificates of both sides. */
const INBOUND = Type.Object({
  port: Type.Integer({ minimum: 0, maximum: 65_535 }),
  host: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'An address of this machine.' })),
  serverCert: file,
  serverKey: file,
  clientCa: file,
  clientName: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'The name in the certificate of the directory server.',
  }),
})

/** One document for each directory server. Unknown members are refused: they may be misspelt. */
export const DIRECTORY_DOCUMENT = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description: 'Small letters, digits and hyphens.' }),
  versions: Type.Array(version, { minItems: 1, maxItems: VERSIONS.length }),
  preqUrls: Type.Array(address, { minItems: 1, maxItems: 2 }),
  tls: Type.Object({ clientCert: file, clientKey: file, serverCa: file }),
  ids: Type.Object({
    refNumber: Type.String({ minLength: 1, maxLength: 32, description: 'The reference number given by EMVCo.' }),
    operatorId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'The operator id given by the directory server.' }),
    ),
  }),
  timers: Type.Optional(
    Type.Object({ connectMs: limit(1_000, 30_000), presMs: limit(1_000, 300_000), aresMs: limit(3_000, 60_000) }),
  ),
  authentication: Type.Optional(AUTHENTICATION),
  inbound: Type.Optional(INBOUND),
  requestors: Type.Optional(
    Type.Array(
      Type.Object({
        ...{ account, ...REQUESTOR.properties },
        ...{ wishes: Type.Optional(MERCHANT_WISHES), laterPayments: Type.Optional(LATER_PAYMENTS) },
      }),
      { maxItems: 1_000 },
    ),
  ),
})

export type DirectoryDocument = Static<typeof DIRECTORY_DOCUMENT>

/**
 * Time limits in milliseconds where the document has none: until the handshake is done, for the card ranges, and for the
 * answer to an AReq.
 */
export const DEFAULT_TIMERS = { connectMs: 5_000, presMs: 120_000, aresMs: 10_000 } as const
