// src/config/database-url.ts — parses DATABASE_URL: the hosts of a Postgres database, and how to connect to them.
import type { Kind } from './kinds.ts'

export interface DatabaseHost {
  /** A name or an address; the directory of a Unix socket begins with a slash. */
  readonly host: string
  readonly port: number
}

/** How far the certificate of a server is checked: not at all, its issuer, or issuer and name. */
export type Verification = 'none' | 'ca' | 'full'

/** Files of TLS; null for those that the URL does not name. */
interface TlsFiles {
  readonly sslrootcert: string | null
  readonly sslcert: string | null
  readonly sslkey: string | null
}

interface Access {
  /** Tried in this order. */
  readonly hosts: readonly DatabaseHost[]
  readonly user: string
  /** Empty when the server asks for none. */
  readonly password: string
  readonly database: string
}

/** The URL as written. */
export interface DatabaseUrl extends Access {
  /** Null for a connection without TLS. */
  readonly tls: { readonly verify: Verification; readonly files: TlsFiles } | null
}

/** The URL with the contents of its files. */
export interface DatabaseAddress extends Access {
  readonly tls: {
    readonly verify: Verification
    readonly ca: Buffer | null
    readonly cert: Buffer | null
    readonly key: Buffer | null
  } | null
}

const PORT = 5432
/** More than any cluster has. Each costs a time-out when it is silent. */
const MOST_HOSTS = 8
const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|::1|\/.*)$/i

/** As in libpq. `prefer` and `allow` are missing: whoever cuts in could turn TLS off. */
const MODES: Readonly<Record<string, Verification | 'off'>> = {
  disable: 'off',
  require: 'none',
  'verify-ca': 'ca',
  'verify-full': 'full',
}

/** `sslrootcert` for the issuers that Node.js trusts. */
const SYSTEM = 'system'

/** Parameters that are read below. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  // Every connection is asked whether it leads to the primary, so these say nothing more.
  'target_session_attrs',
])

export const DATABASE_URL: Kind<DatabaseUrl> = {
  allowed:
    'postgres://user:password@host:port/database, several hosts separated by commas; for hosts other than this machine with ' +
    '?sslmode= disable, require, verify-ca or verify-full, and sslrootcert, sslcert and sslkey as libpq has them',
  parse: text => {
    try {
      return parsed(text)
    } catch {
      // A broken percent-encoding.
      return undefined
    }
  },
}

/** Reads the files of a URL. @param read null when a file cannot be read */
export function withFiles(url: DatabaseUrl, read: (parameter: string, path: string) => Buffer | null): DatabaseAddress {
  const { tls, ...access } = url
  if (tls === null) return { ...access, tls }
  const contentOf = (name: keyof TlsFiles) => {
    const path = tls.files[name]
    return path === null ? null : read(name, path)
  }
  const [ca, cert, key] = [contentOf('sslrootcert'), contentOf('sslcert'), contentOf('sslkey')]
  return { ...access, tls: { verify: tls.verify, ca, cert, key } }
}

function parsed(text: string): DatabaseUrl | undefined {
  const [whole, login = '', authority = '', path = '', query = ''] = URL_PARTS.exec(text) ?? []
  if (whole === undefined) return undefined
  const parameters = new URLSearchParams(query)
  if ([...parameters.keys()].some(name => !PARAMETERS.has(name))) return undefined
  const hosts = hostsIn(authority, parameters.get('host'))
  const [user = '', ...password] = login.split(':')
  if (hosts === undefined || user === '') return undefined
  const tls = tlsOf(parameters, hosts)
  if (tls === undefined) return undefined
  const database = decodeURIComponent(path)
  return { hosts, user: decodeURIComponent(user), password: decodeURIComponent(password.join(':')), database, tls }
}

/** @param directory of a Unix socket, as `?host=/run/postgresql` */
function hostsIn(authority: string, directory: string | null): readonly DatabaseHost[] | undefined {
  if (authority === '') return directory?.startsWith('/') ? [{ host: directory, port: PORT }] : undefined
  if (directory !== null) return undefined
  const written = authority.split(',')
  if (written.length > MOST_HOSTS) return undefined
  const hosts = written.map(one => {
    const [, host, port = String(PORT)] = HOST_AND_PORT.exec(one) ?? []
    return { host: host?.replace(/^\[|\]$/g, '') ?? '', port: Number(port) }
  })
  return hosts.every(({ host, port }) => host !== '' && port > 0 && port < 65_536) ? hosts : undefined
}

/** Undefined when it is not allowed. */
function tlsOf(parameters: URLSearchParams, hosts: readonly DatabaseHost[]): DatabaseUrl['tls'] | undefined {
  const mode = parameters.get('sslmode')
  // Nobody sends card payments over a network in clear by forgetting a parameter.
  if (mode === null) return hosts.every(({ host }) => LOCAL.test(host)) ? null : undefined
  const verify = MODES[mode]
  if (verify === undefined || verify === 'off') return verify === undefined ? undefined : null
  const file = (name: string) => parameters.get(name) || null
  const root = file('sslrootcert')
  const [sslcert, sslkey] = [file('sslcert'), file('sslkey')]
  if ((sslcert === null) !== (sslkey === null)) return undefined
  const files = { sslrootcert: root === SYSTEM ? null : root, sslcert, sslkey }
  // As in libpq: whoever names an issuer wants it to be checked.
  return { verify: verify === 'none' && root !== null ? 'ca' : verify, files }
}
