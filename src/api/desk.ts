// src/api/desk.ts — what all requests to one server share.
import type { Authenticator } from './auth.ts'
import type { BaseUrlOf } from './base-url.ts'
import type { Cors } from './cors.ts'
import type { ApiContext } from './operation.ts'
import type { Traffic } from './traffic.ts'
import type { Chosen } from './versions/ladder.ts'

export interface Desk {
  readonly context: ApiContext
  readonly authenticator: Authenticator
  readonly baseUrlOf: BaseUrlOf
  readonly choose: (accept: string | undefined, url?: string) => Chosen
  readonly cors: Cors
  readonly traffic: Traffic
}
