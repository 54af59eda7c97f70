// test/support/emv/scheme.ts — a scheme in memory: directory server and issuers, by their own reading of the messages.
import { randomUUID } from 'node:crypto'
import { type Card, CardNumber, type CardScheme } from '../../../src/domain/card-number.ts'
import type { Clock } from '../../../src/engine/ports/clock.ts'
import type { CallOutcome, DirectoryServerClient } from '../../../src/engine/ports/directory-server-client.ts'
import type { Random } from '../../../src/engine/ports/random.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import type { Vault } from '../../../src/engine/ports/vault.ts'
import type { CardRangeTable } from '../../../src/three-d-secure/emv/card-range-table.ts'
import { NO_RANGES, nextTable } from '../../../src/three-d-secure/emv/card-range-table.ts'
import { createDeviceData } from '../../../src/three-d-secure/emv/device-data.ts'
import type { DirectoryDocument } from '../../../src/three-d-secure/emv/directory-document.ts'
import { createEmvDirectoryServer } from '../../../src/three-d-secure/emv/directory-server.ts'
import { createAuthenticationJournal } from '../../../src/three-d-secure/emv/journal.ts'
import type { LaterPayments } from '../../../src/three-d-secure/emv/later-payments.ts'
import { createResultReceiver } from '../../../src/three-d-secure/emv/receive-result.ts'
import { createMemoryVault } from '../memory-vault.ts'
import { silentLog } from '../silent-log.ts'

export type Json = Readonly<Record<string, unknown>>

export const VALUE = 's3xYIbbZVSakGpUEaAtOfIt2Ohs='
const CARD = { expiry: { month: 12, year: 2030 }, holder: 'Jo Doe' } as const
export const CARDS = {
  frictionless: { number: new CardNumber('9000100111111110', 'VISA'), ...CARD },
  challenged: { number: new CardNumber('9000100111111117', 'VISA'), ...CARD },
  notEnrolled: { number: new CardNumber('9000200111111110', 'VISA'), ...CARD },
  /** Frictionless, and its issuer has a page for device data. */
  withMethod: { number: new CardNumber('9000300111111110', 'VISA'), ...CARD },
  otherWithMethod: { number: new CardNumber('9000300111111120', 'VISA'), ...CARD },
} satisfies Readonly<Record<string, Card>>

const REQUESTOR = {
  ...{ requestorId: 'R-1', requestorName: 'Shop', requestorUrl: 'https://shop.example', acquirerBin: '438309' },
  ...{ acquirerMerchantId: '00002000000', acquirerCountry: '840', merchantCategoryCode: '5411', country: '840' },
  merchantName: 'Shop',
}

const DOCUMENT: DirectoryDocument = {
  name: 'scheme-test',
  versions: ['2.1.0', '2.2.0'],
  preqUrls: ['https://ds.example/preq'],
  tls: { clientCert: 'a', clientKey: 'b', serverCa: 'c' },
  ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000' },
  authentication: {
    ...{ scheme: 'VISA', areqUrls: ['https://ds.example/areq'], resultsUrl: 'https://gw.example/results' },
  },
}
export interface Scheme {
  readonly client: DirectoryServerClient
  /** AReqs that it has received. */
  readonly areqs: readonly Json[]
  /** Erros that it has received. */
  readonly erros: readonly Json[]
  /** The result of the challenge of the AReq with this id. */
  rreq(threeDSServerTransID: string, changes?: Json): string
  /** Called with each AReq before its answer is on the way; null lets it answer as usual. */
  beforeAnswer: (areq: Json) => Promise<CallOutcome | null>
}

/** Cards that end in 0 need no challenge, unless one is demanded; others do. */
export function openScheme(): Scheme {
  const areqs: Json[] = []
  const erros: Json[] = []
  const ids = new Map<unknown, { readonly acsTransID: string; readonly dsTransID: string }>()
  const scheme: Scheme = {
    areqs,
    erros,
    beforeAnswer: async () => null,
    client: {
      async post({ body }) {
        const message = JSON.parse(body) as Json
        if (message['messageType'] === 'Erro') {
          erros.push(message)
          return { status: 200, body: '' }
        }
        areqs.push(message)
        ids.set(message['threeDSServerTransID'], { acsTransID: randomUUID(), dsTransID: randomUUID() })
        return (await scheme.beforeAnswer(message)) ?? { status: 200, body: JSON.stringify(aresTo(message)) }
      },
    },
    rreq(threeDSServerTransID, changes = {}) {
      return JSON.stringify({
        ...{ messageType: 'RReq', messageVersion: '2.2.0', messageCategory: '01', threeDSServerTransID },
        ...ids.get(threeDSServerTransID),
        ...{ transStatus: 'Y', authenticationValue: VALUE, eci: '05', interactionCounter: '01' },
        ...changes,
      })
    },
  }
  return scheme

  function aresTo(areq: Json): Json {
    const asksChallenge = areq['threeDSRequestorChallengeInd'] === '04' || !String(areq['acctNumber']).endsWith('0')
    const outcome = asksChallenge
      ? {
          ...{ transStatus: 'C', acsURL: 'https://acs.example/challenge' },
          ...{ acsChallengeMandated: 'N', authenticationType: '02' },
        }
      : { transStatus: 'Y', authenticationValue: VALUE, eci: '05' }
    return {
      ...{ messageType: 'ARes', messageVersion: areq['messageVersion'] },
      threeDSServerTransID: areq['threeDSServerTransID'],
      ...ids.get(areq['threeDSServerTransID']),
      ...{ acsReferenceNumber: 'acs', dsReferenceNumber: 'ds' },
      ...outcome,
    }
  }
}

/** Ranges of all cards but the one that is not enrolled. */
function rangesOf(methodUrl: string): CardRangeTable {
  const table = nextTable(NO_RANGES, {
    messageType: 'PRes',
    ...{ threeDSServerTransID: randomUUID(), dsTransID: randomUUID(), dsProtocolVersions: ['2.1.0', '2.2.0'] },
    cardRangeData: [
      {
        ranges: [{ startRange: '9000100000000000', endRange: '9000109999999999' }],
        acsProtocolVersions: [{ version: '2.1.0' }, { version: '2.2.0' }],
      },
      {
        ranges: [{ startRange: '9000300000000000', endRange: '9000309999999999' }],
        acsProtocolVersions: [
          { version: '2.1.0', threeDSMethodURL: 'https://old.acs.example/method' },
          { version: '2.2.0', threeDSMethodURL: methodUrl },
        ],
      },
    ],
  })
  if ('refused' in table) throw new Error(table.refused.detail)
  return table
}

interface ConnectorOptions {
  readonly newId?: Random['uuid']
  readonly methodUrl?: string
  /** Public address of the gateway. */
  readonly base?: string
  /** How later payments of the account are authenticated. */
  readonly laterPayments?: LaterPayments
}

/** Each store has one vault, which outlives connectors. */
const VAULTS = new WeakMap<Store, Vault>()

export function vaultOf(store: Store): Vault {
  const vault = VAULTS.get(store) ?? createMemoryVault()
  VAULTS.set(store, vault)
  return vault
}

/** The gateway's side of a scheme, over a store. Only the account `demo` is registered there. */
export function openConnector({ client }: Scheme, store: Store, clock: Clock, options: ConnectorOptions = {}) {
  const { newId = randomUUID, methodUrl = 'https://acs.example/method', base = 'https://gw.example' } = options
  const { laterPayments } = options
  const document = {
    ...DOCUMENT,
    requestors: [{ account: 'demo', ...REQUESTOR, ...(laterPayments !== undefined && { laterPayments }) }],
  }
  const journal = createAuthenticationJournal(store, clock)
  const vault = vaultOf(store)
  const table = rangesOf(methodUrl)
  const ranges = () => table
  const server = createEmvDirectoryServer({
    ...{
      client,
      document,
      tls: { certificate: '', privateKey: '', authorities: '' },
      clock,
      journal,
      vault,
      log: silentLog,
      newId,
    },
    deviceData: createDeviceData({
      ...{ store, clock, document, newId, ranges },
      ...{ pagePath: '/three-d-secure/device-data', doneUrl: `${base}/three-d-secure/device-data` },
    }),
    ranges,
    notificationUrl: `${base}/three-d-secure/return`,
  })
  const receiverOf = (scheme: CardScheme) => createResultReceiver({ journal, clock, log: silentLog, vault, scheme })
  return { server, journal, receive: receiverOf('VISA'), receiverOf }
}
