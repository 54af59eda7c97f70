// src/api/http/server-context.ts — what all requests to one server share.
import type { Authenticator } from '../auth.ts'
import type { JwtAuthenticator } from '../merchant-jwt.ts'
import type { ApiContext } from '../operation.ts'
import type { Chosen } from '../versions/select.ts'
import type { BaseUrlOf } from './base-url.ts'
import type { ConnectionTracker } from './connection-tracker.ts'
import type { RequestIds } from './request-id.ts'

export interface ServerContext {
  readonly api: ApiContext
  readonly authenticator: Authenticator
  /** Knows web shops by their JWT. */
  readonly shops: JwtAuthenticator
  readonly baseUrlOf: BaseUrlOf
  readonly requestIds: RequestIds
  readonly choose: (accept: string | undefined, url?: string) => Chosen
  /** The same with another default; as without one when there is no such version. */
  readonly chooseFor: (version: string, accept: string | undefined, url?: string) => Chosen
  readonly tracker: ConnectionTracker
  /** Whether a request of this key has left the pause that the operator asks for. */
  readonly paused: (key: string) => boolean
  /** Whether a web shop may make one more call this second. */
  readonly mayCall: (account: string) => boolean
}
