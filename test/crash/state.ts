// test/crash/state.ts — state of a gateway, for a wait that timed out: its last output, running transactions, and screens.
import { basic } from '../support/till.ts'

/** API keys of the accounts that every sandbox has. */
const KEYS = ['demo-api-key', 'demo-eur-api-key'] as const
/** Terminals operated by a person. */
const BY_HAND = ['22160001', '22160002', '22160003'] as const
/** Page size of the management API. */
const PAGE = 200
/** Number of log lines to show. */
const LAST_LINES = 30
/** Time-out per request: the gateway may hang. */
const ANSWER_MS = 5_000

/** @param url address of the gateway; empty when it does not listen */
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

/** The transactions in a list that are not final, one per line; any other answer unchanged. */
function unfinishedIn(text: string): readonly string[] {
  if (!text.startsWith('{"transactions"')) return [text]
  const { transactions } = JSON.parse(text) as {
    readonly transactions: readonly { readonly verdict: { readonly final: boolean } }[]
  }
  return transactions.filter(({ verdict }) => !verdict.final).map(each => JSON.stringify(each))
}
