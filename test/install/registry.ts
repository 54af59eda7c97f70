// test/install/registry.ts — a package registry with the packages of this clone, so that npm installs without a network.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { ROOT } from './npm.ts'

/** A version of a package, and where this clone has it. */
interface Kept {
  readonly version: string
  readonly folder: string
}

export interface Registry {
  /** Arguments with which npm uses this registry and none of its own. */
  readonly options: readonly string[]
  close(): void
}

/** Serves what is installed outside of development. @param cache an empty folder for npm's cache */
export async function openRegistry(cache: string): Promise<Registry> {
  const packages = installedPackages()
  const server = createServer((request, response) => answer(packages, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    options: [
      `--registry=http://127.0.0.1:${port}/`,
      '--noproxy=127.0.0.1',
      `--cache=${cache}`,
      '--no-audit',
      '--no-fund',
    ],
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function installedPackages(): ReadonlyMap<string, readonly Kept[]> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>
  }
  const packages = new Map<string, Kept[]>()
  for (const [path, { version, dev }] of Object.entries(lock.packages)) {
    const folder = join(ROOT, path)
    if (path === '' || dev === true || !existsSync(folder)) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    packages.set(name, [...(packages.get(name) ?? []), { version, folder }])
  }
  return packages
}

/** Answers with the description of a package, or with one of its tarballs. */
function answer(
  packages: ReadonlyMap<string, readonly Kept[]>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [name = '', file] = decodeURIComponent(request.url ?? '')
    .slice(1)
    .split('/-/')
  const kept = packages.get(name) ?? []
  const wanted = kept.find(({ version }) => file === `${basename(name)}-${version}.tgz`)
  if (wanted !== undefined) sendTarball(wanted.folder, response)
  else if (file === undefined && kept.length > 0) sendDescription(name, kept, request, response)
  else response.writeHead(404).end('{}')
}

function sendDescription(
  name: string,
  kept: readonly Kept[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const base = `http://${request.headers.host}/${name}/-/${basename(name)}`
  const versions = kept.map(({ version, folder }) => [
    version,
    { ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), dist: { tarball: `${base}-${version}.tgz` } },
  ])
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({ name, 'dist-tags': { latest: kept.at(-1)?.version }, versions: Object.fromEntries(versions) }),
  )
}

/** Packs a folder without what its installation has added. */
function sendTarball(folder: string, response: ServerResponse): void {
  const added = ['node_modules', 'better-sqlite3/build'].map(name => `--exclude=${name}`)
  const tar = spawn('tar', ['-czf', '-', ...added, '-C', dirname(folder), basename(folder)])
  tar.stdout.pipe(response)
}
