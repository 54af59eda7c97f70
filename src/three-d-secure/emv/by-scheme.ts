// src/three-d-secure/emv/by-scheme.ts — routes payments to the directory server of their card's scheme. ADR 88.
import type { CardScheme } from '../../domain/card-number.ts'
import type { DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import { NO_DIRECTORY_SERVER } from '../none.ts'
import { EMV } from './directory-server.ts'

/**
 * Combines the directory servers of several schemes into one. A card of another scheme is not enrolled.
 * @param servers at least one; all have their notes in one store, so each of them finds what another has noted
 */
export function directoryServerByScheme(servers: ReadonlyMap<CardScheme, DirectoryServer>): DirectoryServer {
  const [any = NO_DIRECTORY_SERVER] = servers.values()
  return {
    name: EMV,
    deviceData: async order => (await servers.get(order.number.scheme)?.deviceData(order)) ?? null,
    issuerPost: any.issuerPost,
    deviceDataDone: any.deviceDataDone,
    lookUp: async order => (await servers.get(order.card.number.scheme)?.lookUp(order)) ?? { type: 'not_enrolled' },
    authenticatesLater: async (account, scheme) =>
      (await servers.get(scheme)?.authenticatesLater?.(account, scheme)) ?? false,
    resultOf: any.resultOf,
  }
}
