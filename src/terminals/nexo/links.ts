// src/terminals/nexo/links.ts — the links to all terminals of this make whose accounts this process serves.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { Alarm } from '../../engine/ports/clock.ts'
import type { TerminalPresence } from '../../engine/ports/terminal.ts'
import { createDeviceLists } from './device-lists.ts'
import { createLink, type Link, type LinkEvents, type LinkParts } from './link.ts'
import type { NexoSettings } from './settings.ts'

export interface Links {
  /** The link to a terminal, by its present settings. @throws Error when they cannot be used */
  to(terminal: Terminal): Promise<Link>
  /** The link to an installed terminal. @throws Error when there is none */
  byId(account: MerchantAccountId, tid: TerminalId): Promise<Link>
  /** As known without a call. A terminal that is not known yet is looked at from now on. */
  presence(terminal: Terminal): TerminalPresence | null
  /** Links to the installed terminals, and drops all others; again every minute. Resolves when each was looked at. */
  watch(serves: (account: MerchantAccountId) => boolean): Promise<void>
  close(): void
}

export interface LinksParts extends LinkParts {
  /** Installed terminals of this make. */
  readonly terminals: () => Promise<readonly Terminal[]>
  readonly settingsOf: (terminal: Terminal) => Promise<NexoSettings>
  readonly eventsOf: (terminal: Terminal) => Omit<LinkEvents, 'isListed'>
}

/** Terminals are added and changed by other processes too. */
const REFRESH_MS = 60_000

interface Opened {
  readonly version: number
  readonly link: Promise<Link>
  /** As soon as it is there. */
  ready: Link | null
}

/** Creates the links. Nothing is connected before the first call. */
export function createLinks(parts: LinksParts): Links {
  const { clock, log } = parts
  const devices = createDeviceLists(parts)
  const opened = new Map<string, Opened>()
  let alarm: Alarm | null = null
  let isClosed = false
  let isServed: (account: MerchantAccountId) => boolean = () => false

  function to(terminal: Terminal): Promise<Link> {
    const key = keyOf(terminal)
    const before = opened.get(key)
    if (before?.version === terminal.version) return before.link
    drop(key)
    const link = open(terminal)
    const now: Opened = { version: terminal.version, link, ready: null }
    opened.set(key, now)
    link.then(
      ready => {
        now.ready = ready
      },
      error => {
        log.error({ tid: terminal.tid, error: String(error) }, 'settings of terminal cannot be used')
        if (opened.get(key) === now) opened.delete(key)
      },
    )
    return link
  }

  async function open(terminal: Terminal): Promise<Link> {
    const settings = await parts.settingsOf(terminal)
    if (settings.root?.isPublished === false)
      log.warn({ tid: terminal.tid, root: settings.root.fingerprint }, 'root certificate is not the published one')
    const { deviceList, poiId } = settings
    const isListed = async () => (deviceList === null ? null : devices.has(deviceList, poiId))
    const link = createLink(parts, terminal, settings, { ...parts.eventsOf(terminal), isListed })
    if (isClosed) link.close()
    return link
  }

  function drop(key: string): void {
    void opened.get(key)?.link.then(
      link => link.close(),
      () => {},
    )
    opened.delete(key)
  }

  /** Watches a terminal once it is linked. One whose settings cannot be used is not connected, and others go on. */
  async function watched(terminal: Terminal): Promise<void> {
    const isNew = opened.get(keyOf(terminal))?.version !== terminal.version
    const link = await to(terminal).catch(() => null)
    if (isNew && !isClosed) await link?.watch()
  }

  async function refresh(): Promise<void> {
    const installed = (await parts.terminals()).filter(({ merchantAccount }) => isServed(merchantAccount))
    const keys = new Set(installed.map(keyOf))
    for (const key of opened.keys()) if (!keys.has(key)) drop(key)
    await Promise.all(installed.map(watched))
  }

  function refreshLater(): void {
    alarm?.cancel()
    if (isClosed) return
    alarm = clock.alarm(clock.now() + REFRESH_MS, () => {
      refresh()
        .catch(error => log.warn({ error: String(error) }, 'terminals were not read'))
        .finally(refreshLater)
    })
  }

  return {
    to,
    async byId(account, tid) {
      const known = opened.get(keyOf({ merchantAccount: account, tid }))
      if (known !== undefined) return known.link
      const found = (await parts.terminals()).find(each => each.merchantAccount === account && each.tid === tid)
      if (found === undefined) throw new Error(`terminal ${tid} is not installed`)
      return to(found)
    },
    presence(terminal) {
      const known = opened.get(keyOf(terminal))
      if (known?.version === terminal.version) return known.ready?.presence ?? null
      if (!isClosed && isServed(terminal.merchantAccount)) void watched(terminal)
      return null
    },
    async watch(serves) {
      isServed = serves
      await refresh()
      refreshLater()
    },
    close() {
      isClosed = true
      alarm?.cancel()
      for (const key of [...opened.keys()]) drop(key)
    },
  }
}

function keyOf({ merchantAccount, tid }: Pick<Terminal, 'merchantAccount' | 'tid'>): string {
  return `${merchantAccount}/${tid}`
}
