// src/three-d-secure/none.ts — the directory server of a gateway that has none.
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'

/** No card takes part. */
export const NO_DIRECTORY_SERVER: DirectoryServer = {
  name: 'none',
  deviceData: async () => null,
  lookUp: async () => ({ type: 'authentication_failed', status: 'U', reason: 'unavailable' }),
  resultOf: async () => ({ type: 'authentication_failed', status: 'U', reason: 'unavailable' }),
}
