// src/platform/vault/vault.ts — implements the Vault port: card data and secrets, sealed one by one in the store.
import { createHmac } from 'node:crypto'
import { type Card, CardNumber, type CardScheme } from '../../domain/card-number.ts'
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Key, Store, StoredRecord } from '../../engine/ports/store.ts'
import type { StoredKind, Vault, VaultEntry } from '../../engine/ports/vault.ts'
import { entryOf, VAULT_ACCOUNT, type VaultKind, writeEntry } from './entries.ts'
import type { KeyRing } from './key-ring.ts'
import { openEnvelope, sealEnvelope } from './sealing.ts'

export interface VaultParts {
  readonly store: Store
  readonly ring: KeyRing
  readonly random: Random
  readonly clock: Clock
}

/** Prefixes of references, by kind. */
const PREFIX = {
  'vault-card': 'card_',
  'vault-token': 'token_',
  'vault-secret': 'secret_',
  'vault-driver': 'driver_',
  'vault-chip': 'chip_',
  'vault-acquirer': 'acquirer_',
  'vault-authentication': 'authentication_',
  'vault-person': 'person_',
} as const
type EntryKind = keyof typeof PREFIX

const KIND_OF: Readonly<Record<StoredKind, EntryKind>> = {
  card: 'vault-card',
  'access-token': 'vault-token',
  'webhook-secret': 'vault-secret',
  'driver-secret': 'vault-driver',
  'chip-data': 'vault-chip',
  'acquirer-card': 'vault-acquirer',
  'authentication-value': 'vault-authentication',
  'one-time-codes': 'vault-person',
}

/** A use is recorded at most once a day, which is exact enough for retention and saves writes. */
const USE_NOTED_MS = 86_400_000
/** Enough that references cannot be guessed, though they grant no access. */
const REFERENCE_BYTES = 16
const LOOKUP_KEY_BYTES = 32
const LOOKUP: Key = { account: VAULT_ACCOUNT, kind: 'vault-lookup' satisfies VaultKind, id: 'lookup' }

/** A card as stored. It has no member for a security code. */
interface StoredCard {
  readonly number: string
  readonly scheme: CardScheme
  readonly month: number
  readonly year: number
  readonly holder: string
}

/**
 * Opens the vault, and checks its keys on the look-up key, which every vault in use has.
 * @throws Fault `vault_key_wrong` when the keys on the ring are not those of this store
 */
export async function openVault(parts: VaultParts): Promise<Vault> {
  const { store, random, clock } = parts
  let lookupKey: Promise<Buffer> | null = null
  const wantLookupKey = (): Promise<Buffer> => {
    // A failed read or write is retried at the next use.
    lookupKey ??= lookupKeyOf(parts).catch(error => {
      lookupKey = null
      throw error
    })
    return lookupKey
  }
  await openEntry(parts, LOOKUP)

  async function seal(account: string, kind: EntryKind, text: string, owner: string): Promise<string> {
    await wantLookupKey()
    const id = `${PREFIX[kind]}${Buffer.from(random.bytes(REFERENCE_BYTES)).toString('base64url')}`
    const key = { account, kind, id }
    const keptAt = clock.now()
    const entry = { ...sealEnvelope(parts.ring.current, key, text, random), owner, keptAt }
    const result = await writeEntry(store, key, 0, entry, keptAt)
    if (result !== 'written') throw new Error(`a new entry of the vault was not written: ${result}`)
    return id
  }

  return {
    storeCard: (account, card, owner) => seal(account, 'vault-card', JSON.stringify(storedCard(card)), owner),
    async openCard(account, reference) {
      const key = { account, kind: 'vault-card', id: reference }
      const text = textOf(parts, key, await noteUse(parts, key))
      return text === null ? null : cardOf(JSON.parse(text) as StoredCard)
    },
    storeText: (account, purpose, text, owner) => seal(account, KIND_OF[purpose], text, owner),
    openText: (account, purpose, reference) => openEntry(parts, { account, kind: KIND_OF[purpose], id: reference }),
    async forget(account, reference) {
      const kind = kindOf(reference)
      if (kind !== null) await forgetEntry(parts, { account, kind, id: reference })
    },
    async entries(kind, after, limit) {
      const page = await store.all(KIND_OF[kind], { after, limit })
      return page.map(({ position, account, id, version, body }) => {
        const { owner = null, keptAt = null, usedAt = null } = entryOf({ body }) ?? NOTHING
        return { position, account, reference: id, version, owner, keptAt, usedAt: usedAt ?? keptAt }
      })
    },
    async forgetUnused({ account, reference, version }: VaultEntry) {
      const kind = kindOf(reference)
      return kind !== null && (await store.erase([{ account, kind, id: reference, version }])) === 1
    },
    lookupOf: async (account, number) =>
      createHmac('sha256', await wantLookupKey())
        .update(JSON.stringify([account, number.reveal()]))
        .digest('base64url'),
    // Two steps: no tag of a text can be the hash of a card number.
    tagOf: async (purpose, text) => {
      const key = createHmac('sha256', await wantLookupKey())
        .update(JSON.stringify({ purpose }))
        .digest()
      return createHmac('sha256', key).update(text).digest('base64url')
    },
  }
}

/** Opens an entry. Null when there is none. @throws Fault `vault_key_wrong` when no key on the ring opens it */
export async function openEntry(parts: VaultParts, key: Key): Promise<string | null> {
  return textOf(parts, key, await parts.store.load(key))
}

/** Opens a stored entry. Null when there is none. @throws Fault `vault_key_wrong` when no key on the ring opens it */
function textOf({ ring }: VaultParts, key: Key, stored: StoredRecord | null): string | null {
  const envelope = stored === null ? null : entryOf(stored)
  if (envelope === null) return null
  const master = ring.of(envelope.keyVersion)
  const text = master === null ? null : openEnvelope(master, key, envelope)
  if (text === null) throw new Fault('vault_key_wrong', { detail: `key ${envelope.keyVersion}` })
  return text
}

/** Facts of an erased entry. */
const NOTHING = { owner: null, keptAt: null, usedAt: null } as const

/**
 * Records the use of an entry before it is opened, so that retention does not delete it as unused.
 * @returns the record before that write; null when there is none
 */
async function noteUse({ store, clock }: VaultParts, key: Key): Promise<StoredRecord | null> {
  for (;;) {
    const stored = await store.load(key)
    const entry = stored === null ? null : entryOf(stored)
    if (stored === null || entry === null) return null
    const now = clock.now()
    // An entry of an older program version has no time; it gets one now.
    const noted = entry.usedAt ?? entry.keptAt ?? 0
    if (now < noted + USE_NOTED_MS) return stored
    if ((await writeEntry(store, key, stored.version, { ...entry, usedAt: now }, now)) === 'written') return stored
  }
}

/** Erases an entry. Retries when a rotation has rewritten it meanwhile. */
async function forgetEntry({ store }: VaultParts, key: Key): Promise<void> {
  for (;;) {
    const stored = await store.load(key)
    if (stored === null || (await store.erase([stored])) === 1) return
  }
}

/** Reads the key of the look-up hashes, or creates it. It never changes; only the master key that seals it does. */
async function lookupKeyOf(parts: VaultParts): Promise<Buffer> {
  const fresh = async () => Buffer.from(parts.random.bytes(LOOKUP_KEY_BYTES)).toString('base64')
  return Buffer.from(await keptText(parts, LOOKUP, fresh), 'base64')
}

/**
 * Reads a secret of the gateway itself, or creates it. Processes that create it at the same time get the same one.
 * @throws Fault `vault_key_wrong` when no key on the ring opens it
 */
export async function keptText(parts: VaultParts, key: Key, fresh: () => Promise<string>): Promise<string> {
  const { store, ring, random, clock } = parts
  for (;;) {
    const text = await openEntry(parts, key)
    if (text !== null) return text
    // If another process has created it meanwhile, the next iteration reads it.
    await writeEntry(store, key, 0, sealEnvelope(ring.current, key, await fresh(), random), clock.now())
  }
}

function kindOf(reference: string): EntryKind | null {
  const kinds = Object.keys(PREFIX) as EntryKind[]
  return kinds.find(kind => reference.startsWith(PREFIX[kind])) ?? null
}

function storedCard({ number, expiry, holder }: Card): StoredCard {
  return { number: number.reveal(), scheme: number.scheme, month: expiry.month, year: expiry.year, holder }
}

function cardOf({ number, scheme, month, year, holder }: StoredCard): Card {
  return { number: new CardNumber(number, scheme), expiry: { month, year }, holder }
}
