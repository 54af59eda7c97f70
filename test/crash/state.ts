// test/crash/state.ts — how a gateway stands, for whoever has waited for it in vain: what it said last, what runs, what the
// screens of its terminals show.
import { basic } from '../support/till.ts'

/** The keys of the accounts that every sandbox has. */
const KEYS = ['demo-api-key', 'demo-eur-api-key'] as const
/** Screens that a person looks at. */
const BY_HAND = ['22160001', '22160002', '22160003'] as const
/** As many as Tollgate's own interface lists at once. */
const PAGE = 200
/** Lines of its log that tell enough. */
const LAST_LINES = 30
/** A gateway that hangs is not asked for ever. */
const ANSWER_MS = 5_000

/** @param url where it listens; empty: it does not */
export async function stateOf(url: string, said: string): Promise<string> {
  const lines = said.trimEnd().split('\n').slice(-LAST_LINES)
  const asked = url === '' ? ['it does not listen'] : await Promise.all(KEYS.map(key => answersTo(url, key)))
  return [...asked.flat(), 'it said last:', ...lines].join('\n')
}

async function answersTo(url: string, key: string): Promise<readonly string[]> {
  const ask = async (path: string): Promise<string> => {
    const asked = { headers: { authorization: basic(key) }, signal: AbortSignal.timeout(ANSWER_MS) }
    const heard = await fetch(new URL(path, url), asked).catch((error: unknown) => String(error))
    return typeof heard === 'string' ? heard : heard.text()
  }
  const transactions = unfinishedIn(await ask(`/api/transactions?limit=${PAGE}`))
  const screens = await Promise.all(BY_HAND.map(tid => ask(`/sandbox/terminals/${tid}`)))
  return [
    `${key}: not final: ${transactions.length === 0 ? 'nothing' : ''}`,
    ...transactions,
    ...screens.filter(screen => screen.includes('"lines"')),
    `tables: ${await ask('/pat/tables')}`,
  ]
}

/** The transactions of a list that are not final, a line each; the answer as it is where it is no list. */
function unfinishedIn(text: string): readonly string[] {
  if (!text.startsWith('{"transactions"')) return [text]
  const { transactions } = JSON.parse(text) as {
    readonly transactions: readonly { readonly verdict: { readonly final: boolean } }[]
  }
  return transactions.filter(({ verdict }) => !verdict.final).map(each => JSON.stringify(each))
}
