// src/api/socket/till-admission.ts — checks whether a till may connect: key, version, partner ids, origin.
import type { IncomingMessage } from 'node:http'
import type { MerchantAccount } from '../../domain/accounts/merchant-account.ts'
import type { Partner } from '../../domain/counter/transaction-events.ts'
import { hashOfKey } from '../../services/provisioning/api-key-store.ts'
import type { Authenticator } from '../auth.ts'
import { refusalOfConnection } from '../keys/key-scope.ts'
import { ID_TOO_LONG, partnerOf } from '../partner.ts'
import type { ApiSettings } from '../parts.ts'
import type { Refused } from '../read/json-body.ts'
import {
  defaultSocketVersion,
  SOCKET_VERSIONS,
  type SocketVersion,
  socketVersionOf,
} from '../versions/socket-versions.ts'
import { areaOf, hasFlag, queryOf } from './till-address.ts'
import type { AdmittedTill } from './till-session.ts'

export interface AdmissionParts {
  readonly authenticator: Authenticator
  readonly settings: Pick<ApiSettings, 'partnerHeaders' | 'corsOrigins' | 'defaultVersion'>
}

/** API version and partner ids of a till. */
export interface TillIdentity {
  readonly apiVersion: SocketVersion
  readonly partner: Partner
}

const VERSIONS = SOCKET_VERSIONS.map(({ version }) => version).join(', ')

/** Why a till is not admitted. `account` is set once its key was recognised. */
export type TillRefused = Refused & { readonly account?: string }

/** Admits a till by its handshake request, or returns its first refusal. */
export async function admitTill(
  { authenticator, settings }: AdmissionParts,
  { url = '', headers }: IncomingMessage,
): Promise<AdmittedTill | TillRefused> {
  const query = queryOf(url)
  const token = query.get('token')
  // The key is accepted in the query only, never in a header.
  if (token === undefined) return { refused: { code: 'credentials_missing' } }
  const keyHash = hashOfKey(token)
  const holder = await authenticator.identifyHash(keyHash)
  if ('refused' in holder) return holder
  const { account, key } = holder
  const area = areaOf(url) ?? 'pac'
  const beyond = refusalOfConnection(key, area)
  if (beyond !== null) return { refused: beyond, account: account.id }
  const identity = identityIn(query, account, settings)
  if ('refused' in identity) return { ...identity, account: account.id }
  if (isForeign(headers, settings.corsOrigins)) return { refused: { code: 'origin_refused' }, account: account.id }
  const wantsFinalReceipt = hasFlag(url, 'final-pos-receipt-request')
  const wantsIds = hasFlag(url, 'transaction-ids')
  return { account, keyHash, area, wantsFinalReceipt, wantsIds, ...identity }
}

/** Reads version and partner ids. Missing ids are refused only when the query names a version that demands them. */
export function identityIn(
  query: ReadonlyMap<string, string>,
  account: Pick<MerchantAccount, 'defaultVersion'>,
  { partnerHeaders, defaultVersion }: Pick<ApiSettings, 'partnerHeaders' | 'defaultVersion'>,
): TillIdentity | Refused {
  const named = query.get('api-version')
  const apiVersion =
    named === undefined ? defaultSocketVersion(account.defaultVersion ?? defaultVersion) : socketVersionOf(named)
  if (apiVersion === undefined) return { refused: { code: 'api_version_unknown', detail: VERSIONS } }
  const ids = {
    softwareHouseId: query.get('software-house-id') ?? null,
    installerId: query.get('installer-id') ?? null,
  }
  const version = { demandsPartner: apiVersion.demandsPartner, named: named !== undefined }
  const partner = partnerOf(ids, version, partnerHeaders, {
    missing: refusalsSaying('is missing.'),
    invalid: refusalsSaying(ID_TOO_LONG),
  })
  return 'refused' in partner ? partner : { apiVersion, partner }
}

function refusalsSaying(detail: string) {
  return {
    softwareHouseId: { code: 'field_invalid', field: 'software-house-id', detail },
    installerId: { code: 'field_invalid', field: 'installer-id', detail },
  } as const
}

/** Whether the handshake comes from a page whose origin may not call. Other programs send no origin, or that of this host. */
function isForeign({ origin, host }: IncomingMessage['headers'], allowed: ApiSettings['corsOrigins']): boolean {
  if (allowed === '*' || origin === undefined || allowed.includes(origin)) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
