// src/api/retention.ts — how long the connect interface shows what has finished. Tollgate's own interface shows it longer.
import type { ApiParts } from './parts.ts'

/** Whether a record can still be read by tills. What runs always can. */
export function isKept(
  { clock, settings }: Pick<ApiParts, 'clock' | 'settings'>,
  { finishedAt }: { readonly finishedAt: number | null },
): boolean {
  return finishedAt === null || clock.now() < finishedAt + settings.retentionMs
}
