// src/peers/nexo-terminal/open.ts — opens a terminal: a port for tills, and one that controls it.

import { createAuthority } from '../certificates.ts'
import { createScenarioQueue } from '../scenario-queue.ts'
import type { Time } from '../time.ts'
import { type Behaviour, behaviourIn, CONCERNS, type Concern, ORDINARY_BEHAVIOUR } from './behaviour.ts'
import type { Cloud } from './cloud.ts'
import { openControl } from './control.ts'
import type { LibraryKey } from './encryption.ts'
import { createTerminalServer } from './server.ts'
import { createTerminal } from './terminal.ts'

export interface TerminalOptions {
  /** Model and serial number, such as `V400m-123456789`. */
  readonly poiId: string
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly controlPort: number
  /** Null only with `cloud`: messages are then in clear text. */
  readonly key: LibraryKey | null
  /** The provider's cloud, which then listens in place of the terminal. Null: the terminal in its network. */
  readonly cloud: Cloud | null
  /** PEM. Null: made here, with a root of its own. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly time: Time
  /** Makes so many random bytes. */
  readonly random: (bytes: number) => Uint8Array
  /** Gets a line for each request and each answer. */
  readonly onLine: (line: string) => void
}

export interface NexoTerminal {
  readonly port: number
  /** Base address of the control port. */
  readonly controlUrl: string
  /** The root of the certificate that was made, PEM. Null when one was given. */
  readonly root: string | null
  close(): Promise<void>
}

/** Opens the terminal. @throws Error when a certificate cannot be used, or a port is taken */
export async function openNexoTerminal(options: TerminalOptions): Promise<NexoTerminal> {
  const { time, onLine } = options
  const { root, certificate } = certified(options)
  const queue = createScenarioQueue<Concern, Behaviour>({
    concerns: CONCERNS,
    ...{ seesCards: false, ordinary: ORDINARY_BEHAVIOUR, behaviourIn },
  })
  const terminal = createTerminal({ behaviours: queue, time, onLine })
  const server = createTerminalServer({ ...options, terminal, certificate })
  try {
    const port = await server.plugIn()
    const control = await openControl(options.controlPort, { terminal, queue, server })
    return {
      ...{ port, controlUrl: control.url, root },
      async close() {
        server.close()
        await control.close()
      },
    }
  } catch (error) {
    server.close()
    throw error
  }
}

function certified({ tls, poiId, cloud, time, random }: TerminalOptions) {
  if (tls !== null) return { root: null, certificate: tls }
  const authority = createAuthority({ now: () => time.now(), random, name: 'Test Terminal Root' })
  const commonName = cloud === null ? `${poiId}.test.terminal.adyen.com` : 'localhost'
  return { root: authority.root, certificate: authority.issue(commonName) }
}
