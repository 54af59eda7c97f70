// src/api/retention.ts — how long the connect interface shows what has finished. Tollgate's own interface shows it longer.
import type { ApiParts } from './parts.ts'

/** Reports that were run at terminals in table mode can be read for three days, in milliseconds. Terminal reference 10.8. */
export const TABLE_REPORT_RETENTION_MS = 3 * 24 * 60 * 60 * 1000

/** Whether a record can still be read by tills. What runs always can. */
export function isKept(
  { clocks, settings }: Pick<ApiParts, 'clocks' | 'settings'>,
  { finishedAt, merchantAccount }: { readonly finishedAt: number | null; readonly merchantAccount: string },
): boolean {
  return finishedAt === null || clocks.of(merchantAccount).now() < finishedAt + settings.retentionMs
}
