// test/support/authority.ts — an authority of its own for each run, and certificates that it signs.
import { randomBytes } from 'node:crypto'
import { type Authority, createAuthority } from '../../src/peers/certificates.ts'

/** Creates an authority, whose certificates are valid from a year ago until a year from now. */
export function testAuthority(name: string): Authority {
  return createAuthority({ now: () => Date.now(), random: randomBytes, name })
}
