// src/three-d-secure/emv/load-card-ranges.ts — asks a directory server for all its card ranges.
import type { DirectoryServerClient, MutualTls } from '../../engine/ports/directory-server-client.ts'
import { type CardRangeTable, NO_RANGES, nextTable } from './card-range-table.ts'
import type { Message } from './codec.ts'
import { DEFAULT_TIMERS, type DirectoryDocument } from './directory-document.ts'
import { type Exchanged, type ExchangeParts, exchange, refuse } from './exchange.ts'
import { VERSIONS, type Version } from './versions.ts'

export interface LoadParts {
  readonly client: DirectoryServerClient
  readonly document: DirectoryDocument
  readonly tls: MutualTls
  /** A new transaction id. */
  newId(): string
}

export type Loaded =
  | { readonly outcome: 'loaded'; readonly table: CardRangeTable; readonly version: Version; readonly url: string }
  | Exclude<Exchanged<'PReq'>, { readonly outcome: 'answered' }>

/** Card ranges of 200,000 entries have up to 200 MB. */
const LONGEST_PRES = 256 * 1_048_576
/** Erro 102 is answered once with a lower version. */
const VERSION_NOT_SUPPORTED = '102'
const MOST_TRIES = 2

/** Loads the ranges in the highest version of the document, or in the next one when the directory server refuses it. */
export async function loadCardRanges({ client, document, tls, newId }: LoadParts): Promise<Loaded> {
  const { connectMs = DEFAULT_TIMERS.connectMs, presMs = DEFAULT_TIMERS.presMs } = document.timers ?? {}
  const call = { tls, connectMs, answerMs: presMs, longestAnswer: LONGEST_PRES }
  const parts: ExchangeParts = { client, urls: document.preqUrls, call }
  const versions = VERSIONS.filter(version => document.versions.includes(version)).toReversed()
  let loaded: Loaded = { outcome: 'failed', failed: 'unreachable', detail: 'there is no version', url: '' }
  for (const version of versions.slice(0, MOST_TRIES)) {
    loaded = await loadIn(version, preq(document, newId()), parts)
    if (loaded.outcome !== 'erro' || loaded.erro.errorCode !== VERSION_NOT_SUPPORTED) break
  }
  return loaded
}

async function loadIn(version: Version, request: Message<'PReq'>, parts: ExchangeParts): Promise<Loaded> {
  const exchanged = await exchange(request, version, parts)
  if (exchanged.outcome !== 'answered') return exchanged
  const { message, url } = exchanged
  const table = nextTable(NO_RANGES, message)
  return 'refused' in table
    ? refuse(table.refused, request, version, url, parts)
    : { outcome: 'loaded', table, version, url }
}

/** Without a serial number: everything. */
function preq({ ids }: DirectoryDocument, threeDSServerTransID: string): Message<'PReq'> {
  return {
    messageType: 'PReq',
    threeDSServerTransID,
    threeDSServerRefNumber: ids.refNumber,
    ...(ids.operatorId !== undefined && { threeDSServerOperatorID: ids.operatorId }),
  }
}
