// src/engine/makes.ts — what can be chosen by name when an account is opened or a terminal added.
import type { TerminalMake } from './ports/terminal.ts'
import type { Named, Registry } from './registry.ts'

/** What a gateway has registered, known without opening any of it. */
export interface Makes {
  readonly terminals: Registry<TerminalMake>
  readonly acquirers: Registry<Named>
  readonly directoryServers: Registry<Named>
}
