// src/cli/doctor/gateway-checks.ts — checks whether a gateway runs on the data directory and is reachable.
import { existsSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Config } from '../../config.ts'
import { type RunNote, readRunNote } from '../run-file.ts'
import { type Finding, fine, problem, reasonOf, warning } from './finding.ts'
import { checkTls } from './tls-checks.ts'

/** Time-out for an answer of the local gateway. */
const ANSWER_MS = 3_000
/** Characters of an answer that are shown. */
const LONGEST_TEXT = 500

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

/**
 * Checks the running gateway, or, if there is none, whether its port is free.
 * @param at now, epoch milliseconds
 */
export async function checkGateway(config: Config, running: boolean, at: number): Promise<readonly Finding[]> {
  if (!running) return [fine('gateway', 'None runs on this data directory.'), await checkPort(config)]
  const note = readRunNote(config.dataDirectory)
  if (note === null)
    return [warning('gateway', 'One runs on this data directory and has not recorded its address yet; try again.')]
  return [await askGateway(note), ...(await checkTls(note.listening, config.publicUrl, at))]
}

async function askGateway({ listening, pid }: RunNote): Promise<Finding> {
  try {
    const { status, text } = await askPath(listening, '/health/ready')
    return status === 200
      ? fine('gateway', `One runs on this data directory (process ${pid}) and is ready at ${listening}.`)
      : problem('gateway', `The gateway at ${listening} is not ready (${status} ${text}); its log says why.`)
  } catch (error) {
    return problem(
      'gateway',
      `One runs on this data directory (process ${pid}) and does not answer at ${listening} (${reasonOf(error)}); its log says why.`,
    )
  }
}

/** Asks a gateway on this machine; its certificate is checked apart. @throws Error when it does not answer in time */
export function askPath(listening: string, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const url = listening + path
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, timeout: ANSWER_MS }
    const request = url.startsWith('https:') ? https.get(url, options, take) : http.get(url, options, take)
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error('no answer')))
    function take(response: IncomingMessage): void {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk: string) => (text = (text + chunk).slice(0, LONGEST_TEXT)))
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text: text.trim() }))
    }
  })
}

function checkPort({ host, port }: Config): Promise<Finding> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error =>
      resolve(problem('port', `Cannot listen on ${host}, port ${port} (${error.message}); choose another with PORT.`)),
    )
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve(fine('port', port === 0 ? 'Any free one.' : `${port} on ${host} is free.`))),
    )
  })
}
