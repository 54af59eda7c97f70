// src/platform/random.ts — the operating system's chance as the Random port.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../engine/ports.ts'

/** Unguessable bytes and ids. */
export function systemRandom(): Random {
  return { bytes: count => randomBytes(count), uuid: () => randomUUID() }
}
