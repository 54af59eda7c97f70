// src/api/retention.ts — how long the connect interface shows finished records. The management API shows them longer.
import type { ApiParts } from './parts.ts'

/** How long reports run at terminals can be read, in milliseconds: three days. */
export const TABLE_REPORT_RETENTION_MS = 3 * 24 * 60 * 60 * 1000

/** Whether tills can still read a record. Unfinished ones always can. */
export function isRetained(
  { clocks, settings }: Pick<ApiParts, 'clocks' | 'settings'>,
  { finishedAt, merchantAccount }: { readonly finishedAt: number | null; readonly merchantAccount: string },
): boolean {
  return finishedAt === null || clocks.of(merchantAccount).now() < finishedAt + settings.retentionMs
}
