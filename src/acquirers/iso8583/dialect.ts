// src/acquirers/iso8583/dialect.ts — reads a dialect document into what codec, framing and commands use. ADR 82.
import type { TSchema } from 'typebox'
import { dialectProblems } from './dialect-checks.ts'
import { codePageOf, type DialectProblem, fieldFormats } from './dialect-fields.ts'
import { type DialectMessages, dialectMessages } from './dialect-messages.ts'
import { DIALECT_DOCUMENT, type DialectDocument } from './dialect-schema.ts'
import type { Framing } from './framing.ts'
import type { MessageFormat } from './message-codec.ts'
import { type CodeMeaning, codeMeanings } from './response-codes.ts'

export interface Dialect {
  readonly document: DialectDocument
  readonly format: MessageFormat
  readonly framing: Framing
  readonly messages: DialectMessages
  /** Meanings of response codes; `meaningOfCode` also knows the others. */
  readonly codes: ReadonlyMap<string, CodeMeaning>
}

/** Reads a JSON document strictly by a schema. Part of another adapter, so it is passed in. */
export type ReadStrictly = (
  schema: TSchema,
  input: unknown,
) => { readonly value: unknown } | { readonly problems: readonly DialectProblem[] }

/** The dialect of a document, or everything that is wrong with it. */
export function readDialect(
  input: unknown,
  readStrictly: ReadStrictly,
): { readonly dialect: Dialect } | { readonly problems: readonly DialectProblem[] } {
  const read = readStrictly(DIALECT_DOCUMENT, input)
  if ('problems' in read) return read
  const document = read.value as DialectDocument
  const { fields, problems: ofFields } = fieldFormats(document)
  const { mti, bitmap, alwaysSecondary = false } = document
  const format: MessageFormat = { mti, bitmap, alwaysSecondary, codePage: codePageOf(document), fields }
  // Formats that do not hold together would make every message seem wrong.
  if (ofFields.length > 0) return { problems: ofFields }
  const { messages, problems: ofMessages } = dialectMessages(document, fields)
  const problems = [...ofMessages, ...dialectProblems({ document, format, messages })]
  if (problems.length > 0) return { problems }
  const codes = codeMeanings(document.standard, document.codes)
  return { dialect: { document, format, framing: framingOf(document), messages, codes } }
}

function framingOf({ framing }: DialectDocument): Framing {
  const { length, maxBytes, header, trailer = '' } = framing
  return {
    ...{ length, maxBytes },
    header: Buffer.from(header?.bytes ?? '', 'hex'),
    answer: header?.answer ?? 'own',
    trailer: Buffer.from(trailer, 'hex'),
  }
}
