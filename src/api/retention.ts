// src/api/retention.ts — how long the connect interface shows what has finished. Tollgate's own interface shows it longer.
import type { ApiParts } from './parts.ts'

/** Whether a record can still be read by tills. What runs always can. */
export function isKept(
  { clocks, settings }: Pick<ApiParts, 'clocks' | 'settings'>,
  { finishedAt, merchantAccount }: { readonly finishedAt: number | null; readonly merchantAccount: string },
): boolean {
  return finishedAt === null || clocks.of(merchantAccount).now() < finishedAt + settings.retentionMs
}
