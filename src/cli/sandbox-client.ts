// src/cli/sandbox-client.ts — asks a running sandbox over HTTP, as any test suite does.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { baseUrl } from './arguments.ts'
import { baseUrlOf } from './base-url.ts'
import { Failure } from './failure.ts'
import { configOf } from './settings-options.ts'
import type { Shell } from './shell.ts'

/** A move of the clock may take a while. */
const LONGEST_MS = 60_000

export interface ReachOptions {
  readonly url?: string
  readonly key: string
  readonly keyFile?: string
}

/** The options by which a gateway is reached. */
export function addReachOptions(command: Command): Command {
  return command
    .option('--url <url>', 'base address of the gateway; default as set for it', baseUrl)
    .option('--key <key>', 'API key of the account', 'demo-api-key')
    .option('--key-file <file>', 'file that holds the API key, so that no list of processes shows it')
}

/** Asks, and gives the answer. @throws Failure with what the gateway says to people, or that there is none. */
export async function askSandbox(
  shell: Shell,
  options: ReachOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const url = options.url ?? baseUrlOf(configOf(shell, {}))
  const answer = await ask(`${url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`tollgate:${keyOf(options)}`).toString('base64')}`,
      'content-type': 'application/json',
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

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new Failure(`No gateway answers at ${new URL(url).origin}.`, { cause: error })
  }
}

/** The key of these options. @throws Failure when its file cannot be read. */
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
