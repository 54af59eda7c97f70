// test/recorded/areas.ts — areas of the recording. Each is a file under exchanges/.
import type { Scenario } from './scenario.ts'
import { COUNTER } from './scripts/counter.ts'
import { HANDSHAKES } from './scripts/handshakes.ts'
import { MANAGEMENT } from './scripts/management.ts'
import { ONLINE } from './scripts/online.ts'
import { PAGES } from './scripts/pages.ts'
import { REFUSED } from './scripts/refusals.ts'
import { SANDBOX } from './scripts/sandbox.ts'
import { SOCKETS } from './scripts/sockets.ts'
import { TABLE_SOCKETS } from './scripts/table-sockets.ts'
import { TABLES } from './scripts/tables.ts'
import { THREE_D_SECURE } from './scripts/three-d-secure.ts'

export const AREAS: Readonly<Record<string, readonly Scenario[]>> = {
  counter: COUNTER,
  refusals: REFUSED,
  tables: TABLES,
  sockets: SOCKETS,
  handshakes: HANDSHAKES,
  'table-sockets': TABLE_SOCKETS,
  online: ONLINE,
  'three-d-secure': THREE_D_SECURE,
  management: MANAGEMENT,
  sandbox: SANDBOX,
  pages: PAGES,
}
