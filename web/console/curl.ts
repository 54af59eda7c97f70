// web/console/curl.ts — a request as a command for a shell.
import type { Credentials, Exchange } from './gateway.ts'

/** `curl` with the request of an exchange. @param origin of the gateway, such as http://127.0.0.1:4020 */
export function curlOf({ method, path, body }: Exchange, { account, key }: Credentials, origin: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    `-u ${quoted(`${account}:${key}`)}`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))} \\\n `]),
    quoted(origin + path),
  ]
  return parts.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
