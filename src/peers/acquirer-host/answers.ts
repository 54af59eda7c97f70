// src/peers/acquirer-host/answers.ts — response codes of the host, in the standards of 1987 and 1993.
import type { OnlineScenario } from '../../simulator/scenarios/online-scenarios.ts'
import type { Standard } from './field-tables.ts'

export type DeclineReason = Exclude<OnlineScenario['answer'], 'approved' | 'nothing' | null>

/** What the host says, besides declines by reason. */
export type Outcome = keyof typeof OUTCOMES

const OUTCOMES = {
  approved: ['00', '000'],
  partly_approved: ['10', '002'],
  in_progress: ['09', '923'],
  invalid_transaction: ['12', '902'],
  amount_differs: ['13', '110'],
  original_not_found: ['25', '914'],
  format_error: ['30', '904'],
  not_supported: ['40', '115'],
  wrong_mac: ['63', '916'],
  signed_off: ['91', '912'],
  duplicate: ['94', '913'],
  reversed: ['00', '400'],
  reversed_before: ['00', '480'],
  balanced: ['00', '500'],
  out_of_balance: ['95', '501'],
  network_ok: ['00', '800'],
} as const

const DECLINES: Readonly<Record<DeclineReason, readonly [string, string]>> = {
  do_not_honour: ['05', '100'],
  insufficient_funds: ['51', '116'],
  expired_card: ['54', '101'],
  lost_or_stolen: ['41', '208'],
  incorrect_pin: ['55', '117'],
  refer_to_issuer: ['01', '107'],
  card_not_supported: ['14', '111'],
  no_pre_authorisation: ['25', '914'],
  pre_authorisation_differs: ['13', '110'],
  security_code_differs: ['N7', '122'],
  authentication_required: ['65', '123'],
}

/** Codes of 1987 in 1993, for amounts that select one. */
const IN_1993: Readonly<Record<string, string>> = {
  ...{ '01': '107', '03': '109', '05': '100', '09': '923', '12': '902', '13': '110', '14': '111', '19': '903' },
  ...{ '25': '914', '30': '904', '33': '201', '34': '202', '40': '115', '41': '208', '43': '209', '51': '116' },
  ...{ '52': '114', '54': '101', '55': '117', '56': '118', '57': '119', '58': '120', '59': '102', '60': '103' },
  ...{ '61': '121', '62': '104', '63': '122', '65': '123', '70': '112', '75': '106', '90': '906', '92': '905' },
  ...{ '93': '124', '94': '913', '96': '909' },
}

export function codeOf(outcome: Outcome, standard: Standard): string {
  return OUTCOMES[outcome][standard === '1987' ? 0 : 1]
}

/** Code of a decline: the dialect's own, if it has one for the reason. */
export function declineCode(
  reason: DeclineReason,
  { standard, own }: { readonly standard: Standard; readonly own: ReadonlyMap<DeclineReason, string> },
): string {
  return own.get(reason) ?? DECLINES[reason][standard === '1987' ? 0 : 1]
}

/** Amounts of exactly 90,000.NN select the response code NN, as in the sandbox. */
const FIRST_CODED_MINOR = 90_000_00

/** What an amount in minor units selects: a code, an approval that nobody gets, or silence. Null when it selects nothing. */
export function selectedByAmount(amountMinor: number, standard: Standard): string | 'unheard' | 'nothing' | null {
  const number = amountMinor - FIRST_CODED_MINOR
  if (number < 1 || number > 99) return null
  const code = String(number).padStart(2, '0')
  if (code === '68') return 'unheard'
  if (code === '91') return 'nothing'
  return standard === '1987' ? code : (IN_1993[code] ?? DECLINES.do_not_honour[1])
}
