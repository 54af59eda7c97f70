// src/terminals/nexo/line.ts — port of the driver: connections to terminals, and to the provider's cloud.
import type { Received } from './wire/answers.ts'

export interface Address {
  readonly host: string
  readonly port: number
  readonly path: string
  /** Secrets: never logged. */
  readonly headers: Readonly<Record<string, string>>
  /** PEM. Only what this root has issued is trusted. Null: the public roots. */
  readonly root: string | null
  /** The certificate must be issued to one of them: that of a terminal has no host name. Null: to the host. */
  readonly commonNames: readonly string[] | null
}

/** A connection that is open and whose other side is the terminal, or the provider. */
export interface Line {
  /**
   * Sends the one request of this connection and resolves to its answer.
   * @throws LineError when the connection is lost before the answer; nothing is known of the request then
   */
  post(body: string): Promise<Received>
  /** As `post`, for what is only read. */
  get(): Promise<Received>
  close(): void
}

export interface Carrier {
  /** Opens a connection. @throws LineError; nothing was sent then */
  open(address: Address, limitMs: number): Promise<Line>
}

/** `certificate`: what is at the address is not this terminal. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly fault: 'unreachable' | 'certificate' | 'lost'
  constructor(fault: LineError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}
