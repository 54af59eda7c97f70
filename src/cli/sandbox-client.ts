// src/cli/sandbox-client.ts — sends HTTP requests to a running gateway for commands.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { baseUrl } from './arguments.ts'
import { baseUrlOf } from './configured-url.ts'
import { Failure } from './failure.ts'
import { configOf } from './settings-options.ts'
import type { Shell } from './shell.ts'

/** Time-out of a request. Moving the clock may take long. */
const LONGEST_MS = 60_000

export interface ReachOptions {
  readonly url?: string
  readonly key: string
  readonly keyFile?: string
}

/** Adds the options for address and API key of a gateway. */
export function addReachOptions(command: Command): Command {
  return command
    .option('--url <url>', 'base address of the gateway; default as set for it', baseUrl)
    .option('--key <key>', 'API key of the account', 'demo-api-key')
    .option('--key-file <file>', 'file that holds the API key; keeps it out of process lists')
}

/** Sends a request and returns the answer, parsed. @throws Failure with the gateway's error, or when it does not answer */
export async function callSandbox(
  shell: Shell,
  options: ReachOptions,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const url = urlOf(shell, options)
  const answer = await send(`${url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`tollgate:${keyOf(options)}`).toString('base64')}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LONGEST_MS),
  })
  const text = await answer.text()
  const json: unknown = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : null
  if (answer.ok) return json
  const detail = (json as { readonly detail?: string } | null)?.detail
  throw new Failure(detail ?? `The gateway at ${url} answers ${answer.status}.`)
}

/** Base address of the gateway. */
export function urlOf(shell: Shell, { url }: ReachOptions): string {
  return url ?? baseUrlOf(configOf(shell, {}))
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new Failure(`No gateway answers at ${new URL(url).origin}.`, { cause: error })
  }
}

/** Returns the API key of the options. @throws Failure when its file cannot be read */
export function keyOf({ key, keyFile }: ReachOptions): string {
  if (keyFile === undefined) return key
  try {
    return readFileSync(keyFile, 'utf8').trim()
  } catch (error) {
    throw new Failure(`${keyFile} cannot be read; --key-file must name a file that holds the API key.`, {
      cause: error,
    })
  }
}
