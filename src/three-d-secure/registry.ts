// src/three-d-secure/registry.ts — routes requests to the directory server of their merchant account.
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { Registry } from '../engine/registry.ts'
import { NO_DIRECTORY_SERVER } from './none.ts'

/**
 * Combines all directory servers into one: each request goes to the one of its account.
 * @param chosenBy returns the directory server's name in the account's record; undefined for the default
 */
export function directoryServerByAccount(
  servers: Registry<DirectoryServer>,
  chosenBy: (account: string) => Promise<string | undefined>,
): DirectoryServer {
  const of = async (account: string): Promise<DirectoryServer> =>
    servers.find(await chosenBy(account)) ?? NO_DIRECTORY_SERVER
  return {
    name: 'by-account',
    deviceData: async order => (await of(order.account)).deviceData(order),
    issuerPost: async (account, token) => (await of(account)).issuerPost(account, token),
    deviceDataDone: async (account, token, said) => (await of(account)).deviceDataDone(account, token, said),
    lookUp: async order => (await of(order.account)).lookUp(order),
    authenticatesLater: async (account, scheme) =>
      (await (await of(account)).authenticatesLater?.(account, scheme)) ?? false,
    resultOf: async (account, md) => (await of(account)).resultOf(account, md),
  }
}
