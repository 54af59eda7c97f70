// src/cli/list-options.ts — the options of commands that list records: filters and pages.
import type { Command } from 'commander'
import { print, type Shell } from './shell.ts'

/** Options that every list has, by their names in the query. The gateway checks their values. */
export interface ListOptions {
  readonly from?: string
  readonly to?: string
  readonly status?: string
  readonly order?: string
  readonly amount?: string
  readonly lastFour?: string
  readonly before?: string
  readonly limit?: string
}

/** Adds the filters that all lists of the command line have, and the options of pages. */
export function addListOptions(command: Command): Command {
  return command
    .option(
      '--from <time>',
      'only those created at this time or later, such as 2026-05-06 or 2026-05-06T13:00:00Z (UTC)',
    )
    .option('--to <time>', 'only those created before this time')
    .option('--order <id>', 'only those of this order')
    .option('--limit <count>', 'most entries of a page, 1 to 200')
    .option('--before <cursor>', 'next page: the cursor printed below the previous page')
}

/** The query of a list, with its question mark; empty without filters. */
export function listQuery(
  { from, to, status, order, amount, lastFour, before, limit }: ListOptions,
  others: Readonly<Record<string, string>> = {},
): string {
  const named = { from, to, status, orderId: order, amount, lastFour, before, limit, ...others }
  const query = new URLSearchParams()
  for (const [name, text] of Object.entries(named)) if (text !== undefined) query.set(name, text)
  return query.size === 0 ? '' : `?${query}`
}

/** Says how to get the next page, if there is one. */
export function printMore(shell: Shell, { next }: { readonly next: number | null }): void {
  if (next !== null) print(shell, `There may be more: add --before ${next}.`)
}
