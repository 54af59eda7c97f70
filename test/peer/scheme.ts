// test/peer/scheme.ts — starts the directory server of a scheme as a process, and writes the document that connects a gateway to it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { testAuthority } from '../support/authority.ts'
import type { Json } from './emv-shop.ts'

const PEER = fileURLToPath(new URL('./directory-server/server.ts', import.meta.url))
const scheme = testAuthority('scheme.example')
const stranger = testAuthority('stranger.example')
const OURS = scheme.issue('localhost')

export interface Scheme {
  readonly port: number
  /** A GET of the peer. */
  ask(path: string): Promise<Json>
  /** Writes the document of a gateway whose account `harbour` is registered, and returns its file. */
  document(connection: SchemeConnection): string
  close(): void
}

export interface SchemeConnection {
  /** Scheme of the cards. All are the same peer. */
  readonly cards: string
  /** Where the gateway finds the directory server. */
  readonly port: number
  /** Path that answers a PReq. */
  readonly preqPath: string
  /** Port of the address that is given for results. */
  readonly resultsPort: number
  /** Port where the gateway listens for them. Default: the same. */
  readonly inboundPort?: number
}

/** Starts it. Its files are written to the folder. */
export async function openScheme(folder: string): Promise<Scheme> {
  const files = {
    ...{ 'server.pem': OURS.cert, 'server-key.pem': OURS.key, 'ca.pem': scheme.root },
  }
  const pairs = {
    client: scheme.issue('ds.example'),
    'other-name': scheme.issue('other.example'),
    'other-authority': stranger.issue('ds.example'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  for (const [name, { cert, key }] of Object.entries(pairs)) {
    writeFileSync(join(folder, `${name}.pem`), cert)
    writeFileSync(join(folder, `${name}-key.pem`), key)
  }
  const child = spawn(process.execPath, ['--import', 'tsx', PEER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line)
  return {
    port,
    ask: path => ask(port, path),
    document(connection) {
      const file = join(folder, `${connection.cards}.json`)
      writeFileSync(file, JSON.stringify(documentOf(connection)))
      return file
    },
    close: () => void child.kill('SIGKILL'),
  }
}

function documentOf({ cards, port, preqPath, resultsPort, inboundPort = resultsPort }: SchemeConnection): Json {
  return {
    name: 'scheme-test',
    versions: ['2.1.0', '2.2.0'],
    preqUrls: [`https://localhost:${port}${preqPath}`],
    tls: { clientCert: 'server.pem', clientKey: 'server-key.pem', serverCa: 'ca.pem' },
    ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000' },
    authentication: {
      scheme: cards,
      areqUrls: [`https://localhost:${port}/areq`],
      resultsUrl: `https://localhost:${resultsPort}/3ds/results`,
    },
    inbound: {
      ...{ port: inboundPort, serverCert: 'server.pem', serverKey: 'server-key.pem' },
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
        laterPayments: { kind: 'recurring', everyDays: 30, until: '99991231' },
      },
    ],
  }
}

async function ask(port: number, path: string): Promise<Json> {
  const tls = { ...OURS, ca: scheme.root }
  const asked = request({ host: 'localhost', port, path, agent: false, ...tls }).end()
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return JSON.parse(text) as Json
}
