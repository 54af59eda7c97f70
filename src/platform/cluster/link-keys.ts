// src/platform/cluster/link-keys.ts — keys of the link between nodes, derived from the master keys of the vault. ADR 70.
import { hkdfSync } from 'node:crypto'
import type { KeyRing } from '../vault/key-ring.ts'
import type { MasterKey } from '../vault/sealing.ts'

/**
 * TLS 1.2, because Node.js offers pre-shared keys only there. The exchange of temporary keys gives forward secrecy: the vault key
 * does not open a recorded connection.
 */
export const LINK_TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
} as const

const KEY_BYTES = 32
/** A version of a master key, by which both sides name it. */
const VERSION = /^[\da-f]{12}$/

export interface LinkKey {
  readonly identity: string
  readonly psk: Uint8Array
}

/** What a server tells its clients: the versions of its keys. */
export function hintOf({ versions }: KeyRing): string {
  return versions.join(' ')
}

/** The key that a client names; null when it is not on the ring. */
export function keyNamed(ring: KeyRing, identity: string): Uint8Array | null {
  const master = VERSION.test(identity) ? ring.of(identity) : null
  return master === null ? null : linkKeyOf(master).psk
}

/**
 * Keys with which a client can try, best first: those that the server names, the newest before older ones, then the others. The
 * server may have got keys since it has written its hint, and this node too.
 */
export function keysFor(ring: KeyRing, hint: string): readonly LinkKey[] {
  const named = new Set(hint.split(' '))
  const versions = [...new Set([ring.current.version, ...ring.versions])]
  const inOrder = [
    ...versions.filter(version => named.has(version)),
    ...versions.filter(version => !named.has(version)),
  ]
  return inOrder.flatMap(version => {
    const master = ring.of(version)
    return master === null ? [] : [linkKeyOf(master)]
  })
}

function linkKeyOf({ version, key }: MasterKey): LinkKey {
  const psk = new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), 'tollgate node link 1', KEY_BYTES))
  return { identity: version, psk }
}
