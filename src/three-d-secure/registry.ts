// src/three-d-secure/registry.ts — asks the directory server that a merchant account names.
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { Registry } from '../engine/registry.ts'
import { NO_DIRECTORY_SERVER } from './none.ts'

/**
 * One directory server to the rest of the gateway: each question goes to the one of its account.
 * @param chosenBy the name in the account's record; undefined: it names none and gets the default
 */
export function directoryServerByAccount(
  servers: Registry<DirectoryServer>,
  chosenBy: (account: string) => Promise<string | undefined>,
): DirectoryServer {
  const of = async (account: string): Promise<DirectoryServer> =>
    servers.find(await chosenBy(account)) ?? NO_DIRECTORY_SERVER
  return {
    name: 'by-account',
    deviceData: async (account, number) => (await of(account)).deviceData(account, number),
    lookUp: async order => (await of(order.account)).lookUp(order),
    resultOf: async (account, md) => (await of(account)).resultOf(account, md),
  }
}
