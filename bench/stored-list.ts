// bench/stored-list.ts — fills a database with finished transactions for lists, with their entries in the indexes.
import { addRows, newestPosition } from './bulk-database.ts'
import { storedBySale } from './stored.ts'

/** Rows per statement, so that progress can be shown between. */
const BATCH = 100_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

/** 2026-01-01. The transactions are spread over this year. */
const YEAR_FROM = Date.UTC(2026, 0, 1)
/** A period of twenty days with half a year of newer transactions behind it. */
export const PERIOD = { from: YEAR_FROM + 170 * DAY_MS, to: YEAR_FROM + 190 * DAY_MS }
/** Records of a page. */
export const PAGE = 50
/** One transaction in twenty is declined; one in four hundred has this card and is one of the declined. */
export const LAST_FOUR = '0056'

/**
 * Adds `count` transactions over a year.
 * @returns the size of the database, in bytes
 */
export function fillList(directory: string, count: number, say: (text: string) => void): number {
  return fill(directory, count, say, {
    time: `${YEAR_FROM} + n * ${YEAR_MS} / @count`,
    isDeclined: 'n % 20 = 16',
    lastFour: `printf('%04d', n % 400)`,
  })
}

/** Adds one page of transactions, all of which fit the filters of the figure. */
export function fillPage(directory: string): void {
  const row = { time: `${PERIOD.from} + n`, isDeclined: 'n > 0', lastFour: `'${LAST_FOUR}'` }
  fill(directory, PAGE, () => {}, row)
}

/** SQL of the columns that differ between rows; `n` counts from 1. */
interface Row {
  readonly time: string
  readonly isDeclined: string
  readonly lastFour: string
}

function fill(directory: string, count: number, say: (text: string) => void, row: Row): number {
  const sale = JSON.parse(storedBySale(directory).record) as { readonly card: object }
  const body = (result: string) =>
    JSON.stringify({
      ...{ ...sale, result, progress: 'finished', authorisation: 'confirmed' },
      card: { ...sale.card, primaryAccountNumber: `************${LAST_FOUR}` },
    })
  const statements = statementsOf(row)
  return addRows(directory, database => {
    const [records, ...entries] = statements.map(sql => database.prepare(sql))
    for (let from = 0; from < count; from += BATCH) {
      const to = Math.min(from + BATCH, count)
      const after = newestPosition(database)
      const named = { from, to, count, after, offset: after - from }
      records?.run({ ...named, declined: body('DECLINED'), successful: body('SUCCESSFUL') })
      for (const statement of entries) statement.run(named)
      say(`${to.toLocaleString('en')} transactions stored`)
    }
  })
}

function statementsOf({ time, isDeclined, lastFour }: Row): readonly string[] {
  const numbers = 'WITH RECURSIVE counter(n) AS (SELECT @from + 1 UNION ALL SELECT n + 1 FROM counter WHERE n < @to)'
  const kind = "'terminal-transaction'"
  const entry = (term: string) =>
    `${numbers} INSERT INTO search_terms (account, kind, term, record) SELECT 'demo', ${kind}, ${term}, n + @offset FROM counter`
  return [
    `${numbers}
     INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
     SELECT ${kind}, 'demo', lower(hex(randomblob(16))), 1, 'T0000000', 0, NULL, ${time}, ${time},
            iif(${isDeclined}, @declined, @successful)
     FROM counter`,
    entry(`'amount=2599'`),
    entry(`iif(${isDeclined}, 'result=DECLINED', 'result=SUCCESSFUL')`),
    entry(`'lastFour=' || ${lastFour}`),
    `INSERT INTO search_days (account, kind, day, first, last)
     SELECT account, kind, created_at / ${DAY_MS}, min(position), max(position) FROM records
     WHERE kind = ${kind} AND position > @after GROUP BY 1, 2, 3
     ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`,
  ]
}
