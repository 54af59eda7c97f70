// src/engine/makes.ts — parts that accounts and terminals choose by name.
import type { TerminalMake } from './ports/terminal.ts'
import type { Named, Registry } from './registry.ts'

/** The registered parts of a gateway, known without opening any of them. */
export interface Makes {
  readonly terminals: Registry<TerminalMake>
  readonly acquirers: Registry<Named>
  readonly directoryServers: Registry<Named>
}
