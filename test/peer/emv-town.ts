// test/peer/emv-town.ts — the real program, connected to a directory server that is another process.
import { emptyDirectory, runJson, type Serving, serving } from '../cli/tollgate.ts'
import { freePort } from '../support/free-port.ts'
import { type Json, openScheme } from './scheme.ts'

export interface EmvTown {
  readonly data: string
  readonly env: Readonly<Record<string, string>>
  gateway: Serving
  /** A GET of the peer. */
  ask(path: string): Promise<Json>
  /** A new access token of the account `harbour`. @param amount in pence; default 1999 */
  accessToken(amount?: string, more?: object): Promise<string>
  /** Cross reference of a payment that has succeeded. */
  referenceOf(token: string): Promise<string>
  /** Charges the card of an earlier payment from server to server. Returns the token of the new payment with its outcome. */
  repeat(crossReference: string): Promise<{ readonly token: string; readonly outcome: Json }>
  /** What has happened with a payment: names and data of events and messages, in order. */
  timeline(token: string): Promise<readonly { readonly what: string; readonly data: Json }[]>
  /** Where the gateway listens, without TLS: the proxy at its public address is left out. */
  listening(): string
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
  const env = {
    TOLLGATE_DIRECTORY_SERVER: documents.join(','),
    TOLLGATE_PUBLIC_URL: publicUrl,
  }
  const data = emptyDirectory()
  const create = [
    'accounts',
    'create',
    'harbour',
    '--data',
    data,
    '--name',
    'Harbour',
    '--merchant-host',
    'shop.example',
  ]
  const { apiKey } = await runJson<{ apiKey: string }>([...create, '--directory-server', 'emv'], env)
  const { token: jwt } = await runJson<{ token: string }>(['token', 'harbour', '--data', data], env)
  let orders = 0
  const town: EmvTown = {
    ...{ data, env, gateway: await serving(data, env) },
    ask: path => scheme.ask(path),
    listening: () => /"listening":"([^"]+)"/.exec(town.gateway.said())?.[1] ?? '',
    async accessToken(amount = '1999', more = {}) {
      orders += 1
      const answer = await fetch(`${town.listening()}/v1/access-tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${jwt}` },
        body: JSON.stringify({ ...ORDER, amount, orderId: `R-${orders}`, ...more }),
      })
      return String(((await answer.json()) as Json)['id'])
    },
    async referenceOf(token) {
      const answer = await fetch(`${town.listening()}/v1/payments/${token}`, {
        headers: { authorization: `Bearer ${jwt}` },
      })
      return String(((await answer.json()) as Json)['crossReference'])
    },
    async repeat(crossReference) {
      const token = await town.accessToken('1999', { crossReference })
      const answer = await fetch(`${town.listening()}/v1/cross-reference-payments/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${jwt}` },
        body: JSON.stringify({ crossReference }),
      })
      return { token, outcome: (await answer.json()) as Json }
    },
    async timeline(token) {
      const answer = await fetch(`${town.listening()}/api/payments/${token}/timeline`, {
        headers: { authorization: `Basic ${Buffer.from(`till:${apiKey}`).toString('base64')}` },
      })
      return ((await answer.json()) as { readonly entries: readonly { what: string; data: Json }[] }).entries
    },
    close: () => scheme.close(),
  }
  return town
}

const ORDER = { merchantUrl: 'shop.example', currencyCode: '826', transactionType: 'SALE' }
