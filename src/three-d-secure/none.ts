// src/three-d-secure/none.ts — the directory server of a gateway without one.
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'

/** Authenticates nobody: each authentication fails as unavailable, so payments that need one end. */
export const NO_DIRECTORY_SERVER: DirectoryServer = {
  name: 'none',
  deviceData: async () => null,
  issuerPost: async () => null,
  deviceDataDone: async () => {},
  lookUp: async () => ({ type: 'authentication_failed', status: 'U', reason: 'unavailable' }),
  resultOf: async () => ({ type: 'authentication_failed', status: 'U', reason: 'unavailable' }),
}
