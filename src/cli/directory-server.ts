// src/cli/directory-server.ts — opens the directory server of a scheme by its document, and the port for its results.

import { DEVICE_DATA_PATH, RETURN_PATH } from '../api/online/browser-answer.ts'
import type { Config } from '../config.ts'
import type { Alarm, Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { Vault } from '../engine/ports/vault.ts'
import { createDirectoryServerClient } from '../platform/directory-server-client.ts'
import { createResultsListener } from '../platform/results-listener.ts'
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

/** Null when none is configured. @throws Failure when its document cannot be used */
export function openDirectoryServer(config: Config, parts: DirectoryServerParts): OpenDirectoryServer | null {
  const { directoryServer: path, publicUrl } = config
  if (path === null) return null
  const { store, vault, clock, random, log } = parts
  const { document, tls, inbound } = readDirectory(path, clock.now())
  const { authentication, inbound: listening } = document
  if (authentication === undefined || listening === undefined || inbound === null)
    throw new Failure(`${path} cannot be used.\n  authentication and inbound must be there: payments need both.`)
  if (publicUrl === null || !publicUrl.startsWith('https://'))
    throw new Failure('TOLLGATE_DIRECTORY_SERVER needs TOLLGATE_PUBLIC_URL with https: issuers send browsers there.')
  let ranges: CardRangeTable | null = null
  let alarm: Alarm | null = null
  let stopped = false
  const client = createDirectoryServerClient({ clock })
  const journal = createAuthenticationJournal(store, clock)
  const listener = createResultsListener({
    ...{ tls: inbound, log, path: new URL(authentication.resultsUrl).pathname.replace(/\/$/, '') },
    receive: createResultReceiver({ journal, clock, log, vault }),
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
    server: createEmvDirectoryServer({
      ...{ client, document, tls, clock, journal, vault, newId: () => random.uuid(), ranges: () => ranges },
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
