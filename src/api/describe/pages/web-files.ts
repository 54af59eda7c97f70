// src/api/describe/pages/web-files.ts — reads the built browser code from dist/web by its manifest.
import { readFileSync } from 'node:fs'
import { Fault } from '../../../engine/fault.ts'
import { memoise } from '../../../engine/memoise.ts'
import { PACKAGE_FOLDER } from '../../package-folder.ts'

const FOLDER = new URL('dist/web/', PACKAGE_FOLDER)

/** Cached files: all of them, a few dozen. */
const CACHED_FILES = 200

interface Manifest {
  readonly version: string
  readonly entries: Readonly<Record<string, { readonly script: string; readonly style: string | null }>>
  readonly files: Readonly<
    Record<string, { readonly mediaType: string; readonly immutable: boolean; readonly integrity: string }>
  >
}

export interface WebFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** True when the name contains a hash of the content. */
  readonly immutable: boolean
}

/** A script for merchants' pages, with its addresses and the value of the `integrity` attribute. */
export interface PublishedScript {
  /** Address of the newest build. */
  readonly plain: string
  /** Address whose content never changes. */
  readonly versioned: string
  readonly integrity: string
}

export type WebEntry =
  | 'client'
  | 'checkout'
  | 'frame'
  | 'challenge'
  | 'acs'
  | 'wallet-sheet'
  | 'demo'
  | 'reference'
  | 'guides'
  | 'console'
  | 'phone'

/** Reads a file by its name. Null when there is none. @throws Fault `web_missing` when nothing was built. */
export function webFile(name: string): WebFile | null {
  const { files } = manifest()
  const facts = Object.hasOwn(files, name) ? files[name] : undefined
  return facts === undefined ? null : { ...facts, bytes: bytesOf(name) }
}

/** Returns the paths of a page's script and style. @throws Fault `web_missing` when nothing was built. */
export function webEntry(name: WebEntry): { readonly script: string; readonly style: string | null } {
  const entry = manifest().entries[name]
  if (entry === undefined) throw new Fault('web_missing', { detail: name })
  return { script: addressOf(entry.script), style: entry.style === null ? null : addressOf(entry.style) }
}

/** Lists the scripts that merchants may load. @throws Fault `web_missing` when nothing was built. */
export function publishedScripts(): {
  readonly version: string
  readonly scripts: Readonly<Record<string, PublishedScript>>
} {
  const { version, entries, files } = manifest()
  const scripts: Record<string, PublishedScript> = {}
  for (const [name, { script }] of Object.entries(entries)) {
    const plain = `${name}.js`
    const facts = files[script]
    if (files[plain] === undefined || facts === undefined) continue
    scripts[plain] = { plain: addressOf(plain), versioned: addressOf(script), integrity: facts.integrity }
  }
  return { version, scripts }
}

function addressOf(file: string): string {
  return `/assets/js/${file}`
}

let known: Manifest | null = null

function manifest(): Manifest {
  try {
    known ??= JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Manifest
    return known
  } catch (cause) {
    throw new Fault('web_missing', { detail: 'dist/web', cause })
  }
}

const bytesOf = memoise(CACHED_FILES, (name): Uint8Array => readFileSync(new URL(name, FOLDER)))
