// src/api/http/server-context.ts — the state shared by all requests to one server.
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
  /** Identifies web shops by their JWT. */
  readonly shops: JwtAuthenticator
  readonly baseUrlOf: BaseUrlOf
  readonly requestIds: RequestIds
  readonly choose: (accept: string | undefined, url?: string) => Chosen
  /** Like `choose`, with `version` as the default. An unknown `version` is ignored. */
  readonly chooseFor: (version: string, accept: string | undefined, url?: string) => Chosen
  readonly tracker: ConnectionTracker
  /** Whether this Authorization header may call now, by the configured pause between requests. */
  readonly mayCallAgain: (key: string) => boolean
  /** Whether a web shop may make one more call this second. */
  readonly mayCall: (account: string) => boolean
}
