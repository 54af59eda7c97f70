// test/support/apple-gateway.ts — a local server that answers merchant session requests like Apple's, with a merchant
// identity that it accepts. All its keys are public test data.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { WalletProviderClient } from '../../src/engine/ports/wallets.ts'
import { createWalletProviderClient } from '../../src/platform/wallet-provider-client.ts'
import { pem } from './tls.ts'

/** Self-signed, for apple-pay-gateway.apple.com. */
const SERVER_CERT = pem(
  'CERTIFICATE',
  'MIIBlzCCAT2gAwIBAgIBATAKBggqhkjOPQQDAjAmMSQwIgYDVQQDDBthcHBsZS1wYXktZ2F0ZXdheS5hcHBsZS5jb20wIBcNMjAwMTAx' +
    'MDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMCYxJDAiBgNVBAMMG2FwcGxlLXBheS1nYXRld2F5LmFwcGxlLmNvbTBZMBMGByqGSM49AgEG' +
    'CCqGSM49AwEHA0IABFvpuYVmKVgE4tlf5wU4mAk13Yte0xGUn9azQ2vPHQzWyADOaDoMjH77+QICun37k9riD20vlId5aJp0+EjoNAmj' +
    'WjBYMA8GA1UdEwEB/wQFMAMBAf8wJgYDVR0RBB8wHYIbYXBwbGUtcGF5LWdhdGV3YXkuYXBwbGUuY29tMB0GA1UdDgQWBBT1a2T4jVrq' +
    'KBWviz2txvqatQM2azAKBggqhkjOPQQDAgNIADBFAiBIB8w7kE1HvFmmLQzPzpHpBI4ie1mqrzY+qPrDMO/+3gIhAKU6oM/U30SHHweT' +
    'vAmicoQELiHLyTZ/KCFeQDOOpPz0',
)
const SERVER_KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwgBDy4nLGdX4k+1YbbEWPSZaekYaYW7BFyeCS1DtOS2hRANCAARb6bmF' +
    'ZilYBOLZX+cFOJgJNd2LXtMRlJ/Ws0Nrzx0M1sgAzmg6DIx++/kCArp9+5Pa4g9tL5SHeWiadPhI6DQJ',
)

/** Certificate of the merchant merchant.example. */
export const IDENTITY_CERT = pem(
  'CERTIFICATE',
  'MIIBdjCCARygAwIBAgIBAjAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBtZXJjaGFudC5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIx' +
    'MjAwMTAxMDAwMDAwWjAbMRkwFwYDVQQDDBBtZXJjaGFudC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0pYbgVCLeKO/' +
    'e+eaHrxd79MqLA7ZyJrJPHG7cz3LOhHsklNl7DIS11z9bI7PWPfnqU0DoSF/Jp8AO7yo2csjpKNPME0wDwYDVR0TAQH/BAUwAwEB/zAb' +
    'BgNVHREEFDASghBtZXJjaGFudC5leGFtcGxlMB0GA1UdDgQWBBTSQRLPOmdQm4wuliG6aVX8GqD78DAKBggqhkjOPQQDAgNIADBFAiAm' +
    'SduiMHIFcrY4e4yUWux6GQ0mWVYWzcRaY3xvc/slYAIhAOGYGMVq7cY1nbd9GMG6LxuOALIEwIGOfcEt7Xp+Oes1',
).toString()
export const IDENTITY_KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9HsfA9yZFaJZtIX/h5vd/vGGjqaQ3NAczmygsZC4zSKhRANCAATSlhuB' +
    'UIt4o79755oevF3v0yosDtnImsk8cbtzPcs6EeySU2XsMhLXXP1sjs9Y9+epTQOhIX8mnwA7vKjZyyOk',
).toString()

/** Address for merchant validation, as browsers receive it. */
export const VALIDATION_URL = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'

/** A received call. */
export interface SessionCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Common name of the client's certificate. */
  readonly merchant: string
}

export interface AppleGateway {
  /** Address of the server. */
  readonly url: string
  readonly calls: readonly SessionCall[]
  /** The answer to each call; undefined for none. Default: 200 and a session. */
  answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | undefined
  /** A client that resolves Apple's host names to this server. */
  line(clock: Clock, privateAllowed?: boolean): WalletProviderClient
  close(): Promise<void>
}

/** Starts the server. It rejects the TLS handshake of clients without `IDENTITY_CERT`. */
export async function openAppleGateway(): Promise<AppleGateway> {
  const calls: SessionCall[] = []
  const server = createServer(
    { cert: SERVER_CERT, key: SERVER_KEY, ca: [IDENTITY_CERT], requestCert: true, rejectUnauthorized: true },
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      calls.push({ path: request.url ?? '', body, merchant: String(subject.CN) })
      const { answer } = gateway
      if (answer === undefined) return
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const gateway: AppleGateway = {
    url: `https://127.0.0.1:${port}`,
    calls,
    answer: { status: 200, body: JSON.stringify({ merchantSessionIdentifier: 'SSH-1', nonce: 'n', signature: 's' }) },
    line: (clock, privateAllowed = true) =>
      createWalletProviderClient({
        clock,
        testNetwork: {
          ...{ port, privateAllowed, authority: SERVER_CERT },
          lookup: (_, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
        },
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return gateway
}
