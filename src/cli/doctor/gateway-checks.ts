// src/cli/doctor/gateway-checks.ts — checks whether a gateway runs on the data directory and is reachable.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Config } from '../../config.ts'
import { localUrl } from '../base-url.ts'
import { type Finding, fine, problem, reasonOf } from './finding.ts'

/** Time-out for an answer of the local gateway. */
const ANSWER_MS = 3_000

/** Whether a gateway holds the lock of this data directory. The check takes no lock that would prevent a start. */
export function isGatewayRunning(directory: string): boolean {
  const file = join(directory, 'tollgate.lock')
  if (!existsSync(file)) return false
  let database: Database.Database | null = null
  try {
    database = new Database(file, { readonly: true, timeout: 0 })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    // Other problems of the directory are found by its own check.
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
  } finally {
    database?.close()
  }
}

/** Checks the running gateway, or, if there is none, whether its port is free. */
export async function checkGateway(config: Config, running: boolean): Promise<readonly Finding[]> {
  if (!running) return [fine('gateway', 'None runs on this data directory.'), await checkPort(config)]
  if (config.port === 0) return [fine('gateway', 'One runs on this data directory, on a port that it chose itself.')]
  return [await askGateway(localUrl(config))]
}

async function askGateway(url: string): Promise<Finding> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const told = (await answer.text()).trim().slice(0, 500)
    return answer.ok
      ? fine('gateway', `One runs on this data directory and is ready at ${url}.`)
      : problem('gateway', `The gateway at ${url} is not ready (${answer.status} ${told}); its log says why.`)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return problem(
      'gateway',
      `One runs on this data directory and does not answer at ${url} (${reasonOf(cause)}); ` +
        'check HOST and PORT, which must be the same as for the gateway.',
    )
  }
}

function checkPort({ host, port }: Config): Promise<Finding> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error =>
      resolve(
        problem('port', `Nothing can listen on ${host}, port ${port} (${error.message}); choose another with PORT.`),
      ),
    )
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve(fine('port', port === 0 ? 'Any free one.' : `${port} on ${host} is free.`))),
    )
  })
}
