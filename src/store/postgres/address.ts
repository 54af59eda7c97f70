// src/store/postgres/address.ts — where a Postgres database is and how to connect to it, and the limits of connections.

export interface DatabaseHost {
  /** A name or an address; the directory of a Unix socket begins with a slash. */
  readonly host: string
  readonly port: number
}

export interface DatabaseAddress {
  /** Tried in this order; one of them is the primary. */
  readonly hosts: readonly DatabaseHost[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Null for a connection without TLS. */
  readonly tls: {
    /** How far the certificate of the server is checked: not at all, its issuer, or issuer and name. */
    readonly verify: 'none' | 'ca' | 'full'
    readonly ca: Buffer | null
    readonly cert: Buffer | null
    readonly key: Buffer | null
  } | null
}

/** All in milliseconds. */
export interface Limits {
  /** For a new connection to one host. */
  readonly connectMs: number
  /** For a statement. The server cancels it then, and a little later the gateway ends the connection. */
  readonly statementMs: number
  /** For the locks of a statement. */
  readonly lockMs: number
  /** For the answer to COMMIT. The server itself sets no limit while it waits for a synchronous standby. */
  readonly commitMs: number
  /** For a free connection. */
  readonly waitMs: number
}

/** Together shorter than the 30 seconds for which usual clients wait. */
export const USUAL_LIMITS: Limits = {
  connectMs: 3_000,
  statementMs: 5_000,
  lockMs: 3_000,
  commitMs: 5_000,
  waitMs: 5_000,
}

/** The name of a host in messages, such as `db1.example:5432`. */
export function nameOf({ host, port }: DatabaseHost): string {
  if (host.startsWith('/')) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Names a database with its hosts, at the beginning of a sentence. */
export function namesOf({ hosts, database }: DatabaseAddress): string {
  return `The database ${database} at ${hosts.map(nameOf).join(', ')}`
}
