// src/engine/ports/results-listener.ts — port: takes messages of directory servers over mutual TLS.

/** PEM: our certificate and key for directory servers that call us, and the authorities of their certificates. */
export interface InboundTls {
  readonly certificate: string
  readonly privateKey: string
  readonly authorities: string
  /** Common name, or DNS name, that the certificate of the directory server must have. */
  readonly clientName: string
}

export interface ResultsListener {
  /** Resolves to the port. @throws Error with the code of the system, such as EADDRINUSE */
  listen(host: string, port: number): Promise<number>
  /** Ends all connections. */
  close(): Promise<void>
}
