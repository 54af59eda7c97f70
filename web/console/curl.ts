// web/console/curl.ts — a request as a command for a shell.
import type { Credentials, Exchange } from './gateway.ts'

/** A request to write as a command. A variable of the shell in its path, such as `$TOKEN`, stays one. */
export interface Command {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Who sends it: an account, somebody with a JWT in a variable of the shell, or somebody without a key. */
export type Sender = { readonly credentials: Credentials } | { readonly bearer: string } | null

/** `curl` with the request of an exchange. @param origin of the gateway, such as http://127.0.0.1:4020 */
export function curlOf(exchange: Exchange, credentials: Credentials, origin: string): string {
  return curlWith({ credentials }, exchange, origin)
}

/** `curl` with a request. */
export function curlWith(sender: Sender, { method, path, body, headers = {} }: Command, origin: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...authorised(sender),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))} \\\n `]),
    quotedAddress(origin + path),
  ]
  return parts.join(' ')
}

function authorised(sender: Sender): readonly string[] {
  if (sender === null) return []
  if ('bearer' in sender) return [`-H "Authorization: Bearer $${sender.bearer}"`]
  const { credentials } = sender
  // A user has no key to show: the command takes that of a program.
  if (!('key' in credentials)) return [`-u ${quoted(`${credentials.account}:`)}"$API_KEY"`]
  return [`-u ${quoted(`${credentials.account}:${credentials.key}`)}`]
}

/** Variables of the shell are outside of the quotes that take everything as it is. */
function quotedAddress(address: string): string {
  return address
    .split(/(\$[A-Z_]+)/)
    .filter(part => part !== '')
    .map(part => (part.startsWith('$') ? `"${part}"` : quoted(part)))
    .join('')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
