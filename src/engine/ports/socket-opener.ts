// src/engine/ports/socket-opener.ts — port: opens lasting TCP and TLS connections to hosts.

export interface HostAddress {
  /** A name or an IP address. */
  readonly host: string
  readonly port: number
}

/** PEM texts. With a certificate and its key the host can ask who connects. */
export interface HostTls {
  /** Who has issued the certificate of the host; absent: the authorities that the machine trusts. */
  readonly authorities?: string
  /** Name in the certificate of the host. Default: the host of the address. */
  readonly serverName?: string
  readonly certificate?: string
  readonly privateKey?: string
}

export interface SocketEvents {
  onData(bytes: Uint8Array): void
  /** Called once, also when this side has closed. `why` is for operators: an error code or a few words. */
  onClosed(why: string): void
}

export interface HostSocket {
  /** Hands bytes to the operating system. Does nothing on a closed connection. */
  write(bytes: Uint8Array): void
  /** Sends what was written, and closes. */
  end(): void
  /** Closes at once. */
  destroy(): void
}

export type ConnectFailure =
  /** No connection: name, route, port or handshake in time. */
  | 'unreachable'
  /** The certificate of the host is not of the authorities, of another name, or not valid now. */
  | 'untrusted'

export type Opened = { readonly socket: HostSocket } | { readonly failed: ConnectFailure; readonly detail: string }

export interface SocketOpener {
  /**
   * Opens a connection. Never rejects.
   * @param given `tls`: null for plain TCP. `limitMs`: until the connection is open, with the TLS handshake
   */
  open(given: {
    readonly address: HostAddress
    readonly tls: HostTls | null
    readonly limitMs: number
    readonly events: SocketEvents
  }): Promise<Opened>
}
