// src/acquirers/iso8583/host-document.ts — the form of the document of a host: its dialect, addresses, certificates and merchants.
import { type Static, Type } from 'typebox'
import { byField } from './dialect-schema.ts'

/** Under this name accounts choose the acquirer. Stored with each account, so it must not change. */
export const ISO8583 = 'iso8583'

const PATH = Type.String({ minLength: 1, maxLength: 4096 })
/** Values of fields that the dialect lists as settings. */
const FIELDS = Type.Object(byField(Type.Optional(Type.String({ minLength: 1, maxLength: 999 }))), {
  additionalProperties: false,
})
const HOST_NAME = Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$', description: 'a name or an IP address' })
const strict = { additionalProperties: false }

const ADDRESS = Type.Object({ host: HOST_NAME, port: Type.Integer({ minimum: 1, maximum: 65_535 }) }, strict)
const TLS = Type.Union([
  Type.Literal('none'),
  Type.Object(
    {
      serverCa: Type.Optional(PATH),
      serverName: Type.Optional(HOST_NAME),
      clientCert: Type.Optional(PATH),
      clientKey: Type.Optional(PATH),
    },
    strict,
  ),
])
const KEY_NAME = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description: 'name of a key' })

export const HOST_DOCUMENT = Type.Object(
  {
    dialect: Type.String({ minLength: 1, maxLength: 4096, description: 'a name, or a file beside this document' }),
    addresses: Type.Array(ADDRESS, { minItems: 1, maxItems: 10 }),
    tls: TLS,
    keys: Type.Optional(
      Type.Union([Type.Literal('software'), Type.Object({ securityModule: ADDRESS, tls: TLS }, strict)]),
    ),
    terminalKey: Type.Optional(KEY_NAME),
    timeZone: Type.String({ minLength: 1, maxLength: 60 }),
    settings: FIELDS,
    accounts: Type.Optional(
      Type.Array(Type.Object({ account: Type.String({ minLength: 1, maxLength: 100 }), settings: FIELDS }, strict), {
        maxItems: 10_000,
      }),
    ),
  },
  strict,
)

export type HostDocument = Static<typeof HOST_DOCUMENT>
