// src/terminals/nexo/wire/diagnosis.ts — what a terminal says of its health. Pure.
import { additionalResponseOf } from './additional-response.ts'
import { countOf, flagOf, memberAt, textOf } from './lenient.ts'

export interface Health {
  /** Whether it can take payments now, or soon. */
  readonly usable: boolean
  /** Something runs on it. */
  readonly busy: boolean
  readonly paperOut: boolean
  /** Its own word for its state, such as `OK` or `Maintenance`. */
  readonly state: string
  readonly printer: string
  /** In per cent; null when not known. */
  readonly battery: number | null
  /** Payments that it has not sent to its host yet; null when not known. */
  readonly unsent: number | null
  /** What does not work, for operators. */
  readonly faults: readonly string[]
}

const NO_PAPER: ReadonlySet<string> = new Set(['NoPaper', 'PaperJam', 'OutOfOrder'])
/** Parts without which no payment is possible come first. */
const PARTS = [
  ['PEDOKFlag', 'PIN pad', true],
  ['CardReaderOKFlag', 'card reader', true],
  ['CommunicationOKFlag', 'connection to the host', false],
  ['SecurityOKFlag', 'security module', false],
] as const

/** Reads a `DiagnosisResponse`. */
export function healthOf(response: unknown): Health {
  const status = memberAt(response, 'POIStatus')
  const state = textOf(memberAt(status, 'GlobalStatus')) || 'OK'
  const additional = additionalResponseOf(memberAt(response, 'Response', 'AdditionalResponse'))
  const broken = PARTS.filter(([member]) => !flagOf(memberAt(status, member), true))
  const printer = textOf(memberAt(status, 'PrinterStatus'))
  const isFailed = textOf(memberAt(response, 'Response', 'Result')) === 'Failure'
  const isBusy = state === 'Busy' || textOf(memberAt(response, 'Response', 'ErrorCondition')) === 'Busy'
  return {
    usable: isBusy || (state === 'OK' && !isFailed && !broken.some(([, , isNeeded]) => isNeeded)),
    ...{ busy: isBusy, paperOut: NO_PAPER.has(printer), state, printer },
    ...{ battery: countOf(additional.get('batteryLevel')), unsent: countOf(additional.get('unconfirmedBatchCount')) },
    faults: [
      ...broken.map(([, name]) => name),
      ...(flagOf(memberAt(status, 'FraudPreventionFlag'), false) ? ['tamper protection'] : []),
    ],
  }
}
