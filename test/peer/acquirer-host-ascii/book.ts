// test/peer/acquirer-host-ascii/book.ts — what the host has booked: each transaction once, and what undoes it.

export type Fields = Readonly<Record<string, string>>

interface Entry {
  readonly kind: 'charge' | 'hold' | 'verify' | 'refund' | 'capture' | 'unknown'
  readonly amountMinor: number
  readonly answer: Fields
  readonly rrn: string
  undone: boolean
  /** Of a hold: what was captured of it. */
  captured: boolean
}

/** Declined for lack of funds, whatever the amount. */
const POOR_CARD = '4761739001010135'
const KINDS: Readonly<Record<string, Entry['kind']>> = {
  '0100/00': 'hold',
  '0100/33': 'verify',
  '0200/00': 'charge',
  '0200/20': 'refund',
  '0220/00': 'capture',
}

/** Terminal, audit number and local time, as the host tells transactions apart. */
function keyOf(fields: Fields): string {
  return [fields['41']?.trim(), fields['11'], fields['12'], fields['13']].join('/')
}

/** A ledger. `isForgetful`: reversals of transactions that have not come are forgotten, as by many hosts. */
export function createBook(isForgetful: boolean) {
  const entries = new Map<string, Entry>()
  let approvals = 0
  let repeats = 0

  function request(fields: Fields): Fields {
    const before = entries.get(keyOf(fields))
    if (before !== undefined) {
      if (fields['0'] === '0221') return before.answer
      repeats += 1
      return { '39': '94' }
    }
    const kind = KINDS[`${fields['0']}/${fields['3']?.slice(0, 2)}`] ?? 'unknown'
    const answer = answerTo(kind, fields)
    const amountMinor = answer['39'] === '00' ? Number(fields['4']) : 0
    entries.set(keyOf(fields), { kind, amountMinor, answer, rrn: fields['37'] ?? '', undone: false, captured: false })
    return answer
  }

  function answerTo(kind: Entry['kind'], fields: Fields): Fields {
    if (kind === 'unknown') return { '39': '12' }
    if (fields['2'] === POOR_CARD) return { '39': '51' }
    if (kind === 'capture') {
      const hold = [...entries.values()].find(
        each => each.kind === 'hold' && each.rrn === fields['37'] && each.answer['38'] === fields['38'] && !each.undone,
      )
      if (hold === undefined || hold.captured) return { '39': '25' }
      hold.captured = true
      return { '39': '00', '38': fields['38'] ?? '' }
    }
    approvals += 1
    return { '39': '00', '38': `A${String(approvals).padStart(5, '0')}` }
  }

  function reverse(fields: Fields): Fields {
    const original = fields['90'] ?? ''
    const [stan] = [original.slice(4, 10)]
    const key = keyOf({ ...fields, '11': stan })
    const entry = entries.get(key)
    if (entry !== undefined) {
      entry.undone = true
      return { '39': '00' }
    }
    if (!isForgetful) {
      const answer = { '39': '05' }
      entries.set(key, { kind: 'unknown', amountMinor: 0, answer, rrn: '', undone: true, captured: false })
    }
    return { '39': '25' }
  }

  function moneyOf(key: string): number {
    const entry = entries.get(key)
    if (entry === undefined || entry.undone || entry.kind === 'hold' || entry.kind === 'verify') return 0
    return entry.kind === 'refund' ? -entry.amountMinor : entry.amountMinor
  }

  return {
    request,
    reverse,
    moneyOf,
    /** Sum of all that has moved. */
    total: () => [...entries.keys()].reduce((sum, key) => sum + moneyOf(key), 0),
    /** Requests that came a second time. There must be none: only advices and reversals are repeated. */
    repeats: () => repeats,
  }
}
