// src/three-d-secure/emv/directory-document.ts — the document with which an operator describes a directory server.
import { type Static, Type } from 'typebox'
import { VERSIONS, type Version } from './versions.ts'

const address = Type.String({ pattern: '^https://[^\\s@\\\\]+$', maxLength: 2048, description: 'An https address.' })
const version = Type.Unsafe<Version>({ type: 'string', enum: [...VERSIONS] })
const file = Type.String({ minLength: 1, maxLength: 1024, description: 'A file, from the folder of this document on.' })
const limit = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }))

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
  timers: Type.Optional(Type.Object({ connectMs: limit(1_000, 30_000), presMs: limit(1_000, 300_000) })),
})

export type DirectoryDocument = Static<typeof DIRECTORY_DOCUMENT>

/** Time limits in milliseconds where the document has none: until the handshake is done, and for the card ranges. */
export const DEFAULT_TIMERS = { connectMs: 5_000, presMs: 120_000 } as const
