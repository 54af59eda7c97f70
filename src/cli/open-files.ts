// src/cli/open-files.ts — checks how many files and connections the process may open.
import { readFileSync } from 'node:fs'
import { Failure } from './failure.ts'

/** Database, log, TLS and a few connections. A gateway with fewer fails at its first customers. */
const LEAST = 256

/** Enough for the connections of a busy site. */
export const RECOMMENDED = 4_096

/** Limit of open files of this process; null where the system has none, or does not tell. */
export function openFilesLimit(): number | null {
  // A report of Node takes ten milliseconds of each start, and this file none.
  const [, limit] = /^Max open files +(\d+)/m.exec(textOf('/proc/self/limits')) ?? []
  return limit === undefined ? reportedLimit() : Number(limit)
}

/** For systems without that file. */
function reportedLimit(): number | null {
  const report = process.report.getReport() as { readonly userLimits?: Readonly<Record<string, { soft?: unknown }>> }
  const soft = report.userLimits?.['open_files']?.soft
  return typeof soft === 'number' ? soft : null
}

/** Empty when there is no such file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @throws Failure when the limit is too low to work */
export function requireOpenFiles(limit: number | null): void {
  if (limit !== null && limit < LEAST)
    throw new Failure(
      `This process may open ${limit} files and connections, and a gateway needs at least ${LEAST}; ` +
        `raise the limit with \`ulimit -n ${RECOMMENDED}\` or LimitNOFILE= of its systemd unit.`,
    )
}
