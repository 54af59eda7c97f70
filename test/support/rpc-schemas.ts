// test/support/rpc-schemas.ts — checks messages against the published schemas of the JSON-RPC interface.
import { Ajv, type ValidateFunction } from 'ajv'
import { messagesIn, publish } from '../../src/api/describe/published-messages.ts'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { SOCKET_VERSIONS, schemasOf } from '../../src/api/versions/socket-versions.ts'

const ajv = new Ajv({ strict: false, allErrors: true })

const METHODS = OPERATIONS.flatMap(({ rpc }) => rpc ?? [])

const JUDGES: ReadonlyMap<string, ValidateFunction> = new Map(
  SOCKET_VERSIONS.flatMap(apiVersion => messagesIn(publish(apiVersion.version, schemasOf(apiVersion, METHODS)))).map(
    ({ name, schema }) => [name, ajv.compile(JSON.parse(JSON.stringify(schema)) as object)],
  ),
)

/** Faults of a message from the gateway, one line each. `method`: its own, or that of the request it answers. */
export function faultsOfMessage(version: string, message: object, method: string): readonly string[] {
  const kind = kindOf(message)
  const area = JUDGES.has(`pat-${version}-${method}-${kind}`) ? 'pat' : 'pac'
  return faultsOf(kind === 'error' ? `pac-${version}-error` : `${area}-${version}-${method}-${kind}`, message)
}

/** Faults of a message, by the name of its schema. */
export function faultsOf(name: string, message: unknown): readonly string[] {
  const judge = JUDGES.get(name)
  if (judge === undefined) return [`no message is called ${name}`]
  return judge(message) ? [] : (judge.errors ?? []).map(({ instancePath, message: text }) => `${instancePath} ${text}`)
}

function kindOf(message: object): 'error' | 'response' | 'request' | 'notification' {
  if ('error' in message) return 'error'
  if ('result' in message) return 'response'
  return 'id' in message ? 'request' : 'notification'
}
