// src/cli/directory-documents.ts — reads the document of a directory server, with its certificates and key.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readStrictly, sentenceOf } from '../api/read/strict-document.ts'
import type { CardScheme } from '../domain/card-number.ts'
import { currencyOf } from '../domain/currency.ts'
import type { MutualTls } from '../engine/ports/directory-server-client.ts'
import type { InboundTls } from '../engine/ports/results-listener.ts'
import type { AuthenticationRequest } from '../three-d-secure/emv/areq.ts'
import { DIRECTORY_DOCUMENT, type DirectoryDocument } from '../three-d-secure/emv/directory-document.ts'
import { REQUEST_DOCUMENT, requestOf } from '../three-d-secure/emv/request-document.ts'
import { Failure } from './failure.ts'

export interface ReadDirectory {
  readonly document: DirectoryDocument
  readonly tls: MutualTls
  /** Null when it sends us nothing. */
  readonly inbound: InboundTls | null
  /** End of our certificate, epoch milliseconds. */
  readonly certificateEndsAt: number
}

/**
 * Reads a document and the files that it names.
 * @param at now, epoch milliseconds
 * @throws Failure with what is wrong, one sentence a line
 */
export function readDirectory(path: string, at: number): ReadDirectory {
  const read = readStrictly(DIRECTORY_DOCUMENT, jsonIn(path))
  if ('problems' in read) throw new Failure(`${path} cannot be used.\n  ${read.problems.map(sentenceOf).join('\n  ')}`)
  const document = read.value
  const problems = (document.requestors ?? []).flatMap(requestor => problemsOf(requestor, document))
  if (problems.length > 0) throw new Failure(`${path} cannot be used.\n  ${problems.join('\n  ')}`)
  const from = (file: string) => textOf(resolve(dirname(path), file))
  const { clientCert, clientKey, serverCa } = document.tls
  const tls = { certificate: from(clientCert), privateKey: from(clientKey), authorities: from(serverCa) }
  certificateIn('tls.serverCa', tls.authorities)
  const ours = certificateIn('tls.clientCert', tls.certificate)
  if (!ours.checkPrivateKey(keyIn(tls.privateKey))) throw new Failure('tls.clientKey is not the key of tls.clientCert.')
  const inbound = document.inbound === undefined ? null : inboundOf(document.inbound, from)
  const certificateEndsAt = Date.parse(ours.validTo)
  if (certificateEndsAt <= at)
    throw new Failure(`The certificate of tls.clientCert expired on ${ours.validTo}; renew it.`)
  return { document, tls, inbound, certificateEndsAt }
}

/** What the schema of a requestor cannot say. */
function problemsOf(
  { account, acquirerCountry, wishes = [] }: NonNullable<DirectoryDocument['requestors']>[number],
  { versions }: DirectoryDocument,
): readonly string[] {
  const unknown = wishes.filter(({ upTo }) => upTo !== undefined && currencyOf(upTo.currencyNumeric) === null)
  return [
    ...unknown.map(({ wish }) => `currencyNumeric of the wish ${wish} of ${account} is no currency of ISO 4217.`),
    // An AReq of this version cannot be written without it.
    ...(versions.includes('2.3.1') && acquirerCountry === undefined
      ? [`acquirerCountry of ${account} is missing: version 2.3.1 requires it.`]
      : []),
  ]
}

function inboundOf(
  { serverCert, serverKey, clientCa, clientName }: NonNullable<DirectoryDocument['inbound']>,
  from: (file: string) => string,
): InboundTls {
  const tls = { certificate: from(serverCert), privateKey: from(serverKey), authorities: from(clientCa), clientName }
  certificateIn('inbound.clientCa', tls.authorities)
  const isPair = certificateIn('inbound.serverCert', tls.certificate).checkPrivateKey(keyIn(tls.privateKey))
  if (!isPair) throw new Failure('inbound.serverKey is not the key of inbound.serverCert.')
  return tls
}

/** The request of an authentication to try. @throws Failure with what is wrong, one sentence a line */
export function readAuthenticationRequest(path: string, scheme: CardScheme): AuthenticationRequest {
  const read = readStrictly(REQUEST_DOCUMENT, jsonIn(path))
  if ('problems' in read) throw new Failure(`${path} cannot be used.\n  ${read.problems.map(sentenceOf).join('\n  ')}`)
  const request = requestOf(read.value, scheme)
  if (request === null) throw new Failure(`${path} cannot be used.\n  currencyNumeric is no currency of ISO 4217.`)
  return request
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(textOf(path))
  } catch (error) {
    // The parser quotes the text.
    if (error instanceof SyntaxError) throw new Failure(`${path} is not valid JSON.`)
    throw error
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure(`${path} must be a file that can be read.`, { cause: error })
  }
}

function certificateIn(name: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Failure(`${name} must be a file with a certificate in PEM.`)
  }
}

function keyIn(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    // The error may quote the key.
    throw new Failure('tls.clientKey must be a file with a private key in PEM, without a passphrase.')
  }
}
