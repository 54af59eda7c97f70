// src/three-d-secure/emv/device-data.ts — the 3DS method: issuers learn the payer's device before they are asked. ADR 88.
import { hash } from 'node:crypto'
import type { CardNumber } from '../../domain/card-number.ts'
import type { MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import { challengeId } from '../../engine/challenge-ids.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Store } from '../../engine/ports/store.ts'
import { DEVICE_DATA_KIND, type DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import { versionsFor } from './authenticate.ts'
import { type CardRangeTable, lookUp } from './card-range-table.ts'
import type { DirectoryDocument } from './directory-document.ts'
import { decodeMethodData, encodeMethodData } from './method-data.ts'

/** `open`: the issuer's page may be at work. `done`: it has said so. `used`: an AReq has the id. */
interface DeviceNote {
  readonly threeDSServerTransID: string
  /** The issuer's page. */
  readonly url: string
  /** First six digits, asterisks, last four. */
  readonly maskedNumber: string
  readonly phase: 'open' | 'done' | 'used'
  /** Epoch milliseconds. */
  readonly preparedAt: number
}

interface Noted {
  readonly note: DeviceNote
  /** Version of the record. */
  readonly at: number
}

export interface DeviceDataParts {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly document: DirectoryDocument
  ranges(): CardRangeTable | null
  newId(): string
  /** Path of the page that sends browsers on. */
  readonly pagePath: string
  /** Address at which issuers say that they are done, in front of the token. */
  readonly doneUrl: string
}

export interface DeviceData extends Pick<DirectoryServer, 'deviceData' | 'issuerPost' | 'deviceDataDone'> {
  /** Takes what was prepared for the payment, once. Null when there is nothing for this card, or it is too old. */
  take(account: MerchantAccountId, paymentId: PaymentId, number: CardNumber): Promise<TakenDeviceData | null>
  /** The issuer's page for a card; null when the issuer has none. */
  pageOf(number: CardNumber): string | null
}

export interface TakenDeviceData {
  readonly threeDSServerTransID: string
  readonly completed: boolean
}

/** Directory servers forget a transaction that does not go on; one of them after 80 seconds. */
const USE_WITHIN_MS = 60_000
/** Writes at the same moment: by the payment, and by the issuer's page. */
const MOST_RACES = 5

/** Creates the notes. A step is written before the browser learns of it, so that the issuer's page finds it on any node. */
export function createDeviceData(parts: DeviceDataParts): DeviceData {
  const { store, clock } = parts

  async function load(account: MerchantAccountId, id: string): Promise<Noted | null> {
    const stored = await store.load({ account, kind: DEVICE_DATA_KIND, id })
    return stored === null ? null : { note: JSON.parse(stored.body) as DeviceNote, at: stored.version }
  }

  /** False when another process, or another call, has changed it meanwhile. */
  async function write(account: MerchantAccountId, id: string, note: DeviceNote, at: number): Promise<boolean> {
    const result = await store.commit({
      ...{ account, kind: DEVICE_DATA_KIND, id, expectedVersion: at, version: at + 1, body: JSON.stringify(note) },
      ...{ parent: '', live: false, lockKey: null, uniqueKeys: [], at: clock.now() },
      ...{ events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
    })
    return result === 'written'
  }

  function pageOf(number: CardNumber): string | null {
    const { document } = parts
    const ranges = parts.ranges()
    if (ranges === null || number.scheme !== document.authentication?.scheme) return null
    const [chosen] = versionsFor(number.reveal(), { document, ranges })
    const range = lookUp(ranges, number.reveal())
    return range?.acsVersions.find(({ version }) => version === chosen)?.threeDSMethodURL ?? null
  }

  return {
    pageOf,
    async deviceData({ account, paymentId, number }) {
      const url = pageOf(number)
      if (url === null || !parts.document.requestors?.some(each => each.account === account)) return null
      const token = tokenOf(account, paymentId)
      const note: DeviceNote = {
        ...{ threeDSServerTransID: parts.newId(), url, maskedNumber: number.masked },
        ...{ phase: 'open', preparedAt: clock.now() },
      }
      const before = await load(account, token)
      return (await write(account, token, note, before?.at ?? 0)) ? { formAction: parts.pagePath, token } : null
    },
    async issuerPost(account, token) {
      const noted = await load(account, token)
      if (noted === null || noted.note.phase === 'used') return null
      const { threeDSServerTransID, url } = noted.note
      const threeDSMethodNotificationURL = `${parts.doneUrl}/${token}`
      return {
        url,
        fields: { threeDSMethodData: encodeMethodData({ threeDSServerTransID, threeDSMethodNotificationURL }) },
      }
    },
    async deviceDataDone(account, token, said) {
      const id = decodeMethodData(said)?.threeDSServerTransID.toLowerCase()
      const noted = await load(account, token)
      if (noted?.note.phase !== 'open' || noted.note.threeDSServerTransID.toLowerCase() !== id) return
      // Whoever has written meanwhile has used it, or begun anew.
      await write(account, token, { ...noted.note, phase: 'done' }, noted.at)
    },
    async take(account, paymentId, number) {
      const token = tokenOf(account, paymentId)
      for (let race = 0; race < MOST_RACES; race += 1) {
        const noted = await load(account, token)
        if (noted === null) return null
        const { phase, maskedNumber, preparedAt, threeDSServerTransID } = noted.note
        const isOld = clock.now() - preparedAt > USE_WITHIN_MS
        if (phase === 'used' || maskedNumber !== number.masked || isOld) return null
        if (await write(account, token, { ...noted.note, phase: 'used' }, noted.at))
          return { threeDSServerTransID, completed: phase === 'done' }
      }
      return null
    },
  }
}

/** Names the account, as the `md` of a challenge does: it is all that the issuer's page brings. */
function tokenOf(account: MerchantAccountId, paymentId: PaymentId): string {
  return challengeId(account, hash('sha256', `device data ${paymentId}`, 'hex'))
}
