// test/peer/emv-town.ts — the real program, connected to a directory server that is another process.
import { emptyDirectory } from '../cli/tollgate.ts'
import { freePort } from '../support/free-port.ts'
import { type EmvShop, type Json, openEmvShop } from './emv-shop.ts'
import { openScheme } from './scheme.ts'

export interface EmvTown extends EmvShop {
  /** A GET of the peer. */
  ask(path: string): Promise<Json>
  close(): void
}

export interface EmvTownOptions {
  /** Path of the peer that answers a PReq. Default: one that has no ranges, so each card is asked about. */
  readonly preqPath?: string
  readonly publicUrl?: string
  /** A directory server for each. Default: VISA only. */
  readonly schemes?: readonly string[]
}

/** Starts both. `harbour` is the account that is registered with the directory server. */
export async function openEmvTown({
  preqPath = '/erro-303',
  publicUrl = 'https://gateway.example',
  schemes = ['VISA'],
}: EmvTownOptions = {}): Promise<EmvTown> {
  const scheme = await openScheme(emptyDirectory())
  const documents: string[] = []
  for (const cards of schemes)
    documents.push(scheme.document({ cards, port: scheme.port, preqPath, resultsPort: await freePort() }))
  const shop = await openEmvShop(documents, publicUrl)
  // The same object: tests that start the gateway again replace it there.
  return Object.assign(shop, { ask: (path: string) => scheme.ask(path), close: () => scheme.close() })
}
