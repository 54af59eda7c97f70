// src/cli/directory-server.ts — opens the directory servers of schemes by their documents, and the ports for their results.

import { DEVICE_DATA_PATH, RETURN_PATH } from '../api/online/browser-answer.ts'
import type { Config } from '../config.ts'
import type { CardScheme } from '../domain/card-number.ts'
import type { Alarm, Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { Vault } from '../engine/ports/vault.ts'
import { createDirectoryServerClient } from '../platform/directory-server-client.ts'
import { createResultsListener } from '../platform/results-listener.ts'
import { directoryServerByScheme } from '../three-d-secure/emv/by-scheme.ts'
import { type CardRangeTable, countRanges } from '../three-d-secure/emv/card-range-table.ts'
import { createDeviceData } from '../three-d-secure/emv/device-data.ts'
import { createEmvDirectoryServer } from '../three-d-secure/emv/directory-server.ts'
import { createAuthenticationJournal } from '../three-d-secure/emv/journal.ts'
import { loadCardRanges } from '../three-d-secure/emv/load-card-ranges.ts'
import { createResultReceiver } from '../three-d-secure/emv/receive-result.ts'
import { readDirectory } from './directory-documents.ts'
import { Failure } from './failure.ts'

export interface OpenDirectoryServer {
  readonly server: DirectoryServer
  /** Takes results, and loads card ranges without waiting for them. @throws Failure when it cannot listen */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface DirectoryServerParts {
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const HOUR_MS = 3_600_000
/** Schemes want ranges that are at most a day old, and allow one request an hour. */
const LOAD_EVERY_MS = 20 * HOUR_MS
const LOAD_AGAIN_MS = HOUR_MS
const ANY_HOST = '127.0.0.1'

/** One for all schemes; null when none is configured. @throws Failure when a document cannot be used */
export function openDirectoryServer(config: Config, parts: DirectoryServerParts): OpenDirectoryServer | null {
  const { directoryServers: paths, publicUrl } = config
  if (paths === null) return null
  if (publicUrl === null || !publicUrl.startsWith('https://'))
    throw new Failure('TOLLGATE_DIRECTORY_SERVER needs TOLLGATE_PUBLIC_URL with https: issuers send browsers there.')
  const opened = new Map<CardScheme, OpenDirectoryServer>()
  for (const path of paths) {
    const { scheme, ...server } = openScheme(path, publicUrl, parts)
    if (opened.has(scheme)) throw new Failure(`${path} cannot be used.\n  Another document has the scheme ${scheme}.`)
    opened.set(scheme, server)
  }
  const all = [...opened.values()]
  return {
    server: directoryServerByScheme(new Map([...opened].map(([scheme, { server }]) => [scheme, server]))),
    async start() {
      for (const { start } of all) await start()
    },
    async stop() {
      await Promise.all(all.map(({ stop }) => stop()))
    },
  }
}

function openScheme(
  path: string,
  publicUrl: string,
  parts: DirectoryServerParts,
): OpenDirectoryServer & { readonly scheme: CardScheme } {
  const { store, vault, clock, random, log } = parts
  const { document, tls, inbound } = readDirectory(path, clock.now())
  const { authentication, inbound: listening } = document
  if (authentication === undefined || listening === undefined || inbound === null)
    throw new Failure(`${path} cannot be used.\n  authentication and inbound must be there: payments need both.`)
  const { scheme } = authentication
  let ranges: CardRangeTable | null = null
  let alarm: Alarm | null = null
  let stopped = false
  const client = createDirectoryServerClient({ clock })
  const journal = createAuthenticationJournal(store, clock)
  const listener = createResultsListener({
    ...{ tls: inbound, log, path: new URL(authentication.resultsUrl).pathname.replace(/\/$/, '') },
    receive: createResultReceiver({ journal, clock, log, vault, scheme }),
  })

  async function load(): Promise<void> {
    const loaded = await loadCardRanges({ client, document, tls, newId: () => random.uuid() })
    if (stopped) return
    if (loaded.outcome === 'loaded') {
      ranges = loaded.table
      log.info({ directoryServer: document.name, ranges: countRanges(loaded.table) }, 'card ranges loaded')
    } else log.error({ directoryServer: document.name, outcome: loaded.outcome }, 'card ranges not loaded')
    const nextMs = loaded.outcome === 'loaded' ? LOAD_EVERY_MS : LOAD_AGAIN_MS
    alarm = clock.alarm(clock.now() + nextMs, () => void load())
  }

  return {
    scheme,
    server: createEmvDirectoryServer({
      ...{ client, document, tls, clock, journal, vault, log, newId: () => random.uuid(), ranges: () => ranges },
      deviceData: createDeviceData({
        ...{ store, clock, document, newId: () => random.uuid(), ranges: () => ranges },
        ...{ pagePath: DEVICE_DATA_PATH, doneUrl: publicUrl + DEVICE_DATA_PATH },
      }),
      notificationUrl: publicUrl + RETURN_PATH,
    }),
    async start() {
      const { host = ANY_HOST, port } = listening
      const taken = await listener.listen(host, port).catch(error => {
        throw new Failure(`Cannot listen for results on ${host}, port ${port}: ${String(error)}.`, { cause: error })
      })
      log.info({ directoryServer: document.name, host, port: taken }, 'results of challenges are taken')
      void load()
    },
    async stop() {
      stopped = true
      alarm?.cancel()
      await listener.close()
    },
  }
}
