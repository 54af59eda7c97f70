// test/peer/emv-town.ts — the real program, connected to a directory server that is another process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { emptyDirectory, runJson, type Serving, serving } from '../cli/tollgate.ts'
import { freePort } from '../support/free-port.ts'
import { createAuthority } from './directory-server/certificates.ts'

const PEER = fileURLToPath(new URL('./directory-server/server.ts', import.meta.url))
const scheme = createAuthority('scheme.example')
const stranger = createAuthority('stranger.example')
const OURS = scheme.issue('localhost')

export type Json = Readonly<Record<string, unknown>>

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
  const folder = emptyDirectory()
  const files = {
    ...{ 'server.pem': OURS.certificate, 'server-key.pem': OURS.privateKey, 'ca.pem': scheme.certificate },
  }
  const pairs = {
    client: scheme.issue('ds.example'),
    'other-name': scheme.issue('other.example'),
    'other-authority': stranger.issue('ds.example'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  for (const [name, { certificate, privateKey }] of Object.entries(pairs)) {
    writeFileSync(join(folder, `${name}.pem`), certificate)
    writeFileSync(join(folder, `${name}-key.pem`), privateKey)
  }
  const child = spawn(process.execPath, ['--import', 'tsx', PEER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const peerPort = Number(line)
  const documents: string[] = []
  for (const scheme of schemes) {
    const file = join(folder, `${scheme}.json`)
    writeFileSync(file, JSON.stringify(documentOf(scheme, { peerPort, preqPath, resultsPort: await freePort() })))
    documents.push(file)
  }
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
  let orders = 0
  const town: EmvTown = {
    ...{ data, env, gateway: await serving(data, env) },
    ask: path => ask(peerPort, path),
    listening: () => /"listening":"([^"]+)"/.exec(town.gateway.said())?.[1] ?? '',
    async accessToken(amount = '1999', more = {}) {
      const { token } = await runJson<{ token: string }>(['token', 'harbour', '--data', data], env)
      orders += 1
      const answer = await fetch(`${town.listening()}/v1/access-tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...ORDER, amount, orderId: `R-${orders}`, ...more }),
      })
      return String(((await answer.json()) as Json)['id'])
    },
    async referenceOf(token) {
      const { token: jwt } = await runJson<{ token: string }>(['token', 'harbour', '--data', data], env)
      const answer = await fetch(`${town.listening()}/v1/payments/${token}`, {
        headers: { authorization: `Bearer ${jwt}` },
      })
      return String(((await answer.json()) as Json)['crossReference'])
    },
    async timeline(token) {
      const answer = await fetch(`${town.listening()}/api/payments/${token}/timeline`, {
        headers: { authorization: `Basic ${Buffer.from(`till:${apiKey}`).toString('base64')}` },
      })
      return ((await answer.json()) as { readonly entries: readonly { what: string; data: Json }[] }).entries
    },
    close: () => void child.kill('SIGKILL'),
  }
  return town
}

const ORDER = { merchantUrl: 'shop.example', currencyCode: '826', transactionType: 'SALE' }

async function ask(port: number, path: string): Promise<Json> {
  const tls = { cert: OURS.certificate, key: OURS.privateKey, ca: scheme.certificate }
  const asked = request({ host: 'localhost', port, path, agent: false, ...tls }).end()
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return JSON.parse(text) as Json
}

interface Ports {
  readonly peerPort: number
  readonly preqPath: string
  readonly resultsPort: number
}

/** The document of a scheme's directory server. All are the same peer. */
function documentOf(scheme: string, { peerPort, preqPath, resultsPort }: Ports) {
  return {
    name: 'scheme-test',
    versions: ['2.1.0', '2.2.0'],
    preqUrls: [`https://localhost:${peerPort}${preqPath}`],
    tls: { clientCert: 'server.pem', clientKey: 'server-key.pem', serverCa: 'ca.pem' },
    ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000' },
    authentication: {
      scheme,
      areqUrls: [`https://localhost:${peerPort}/areq`],
      resultsUrl: `https://localhost:${resultsPort}/3ds/results`,
    },
    inbound: {
      ...{ port: resultsPort, serverCert: 'server.pem', serverKey: 'server-key.pem' },
      ...{ clientCa: 'ca.pem', clientName: 'ds.example' },
    },
    requestors: [
      {
        account: 'harbour',
        ...{ requestorId: 'R-1', requestorName: 'Harbour', requestorUrl: 'https://shop.example', country: '826' },
        ...{
          acquirerBin: '438309',
          acquirerMerchantId: '00002',
          merchantCategoryCode: '5411',
          merchantName: 'Harbour',
        },
        wishes: [{ wish: 'transaction_risk_analysis', upTo: { amountMinor: 500, currencyNumeric: '826' } }],
      },
    ],
  }
}
