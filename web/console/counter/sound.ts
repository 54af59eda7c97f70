// web/console/counter/sound.ts — which sound a terminal makes when its screen has changed.
import type { Screen } from './terminal-screen.ts'

export type Sound = 'key' | 'card' | 'approved' | 'declined'

/** What of a screen was noticed. */
export interface Noticed {
  readonly requestId: string | null
  /** How the transaction goes out, as far as the screen has said it. */
  readonly outcome: 'approved' | 'declined' | null
  readonly asksForCard: boolean
}

type Seen = Pick<Screen, 'connected' | 'lines' | 'keys' | 'requestId'>

/** @param before null for the first screen, which makes no sound */
export function notice(
  before: Noticed | null,
  screen: Seen,
): { readonly noticed: Noticed | null; readonly sound: Sound | null } {
  // An unplugged terminal shows nothing, and goes on where it was.
  if (!screen.connected) return { noticed: before, sound: null }
  const { requestId } = screen
  const isNew = requestId !== null && requestId !== before?.requestId
  // Between outcome and end the screen asks to take the card out.
  const outcome = outcomeIn(screen.lines) ?? (isNew ? null : (before?.outcome ?? null))
  const asksForCard = screen.keys.includes('present_card')
  const noticed = { requestId: requestId ?? before?.requestId ?? null, outcome, asksForCard }
  if (before === null) return { noticed, sound: null }
  if (outcome !== null && (isNew || outcome !== before.outcome)) return { noticed, sound: outcome }
  const isRead = before.asksForCard && !asksForCard && requestId !== null && !isNew && !screen.lines.some(isCancelled)
  return { noticed, sound: isRead ? 'card' : null }
}

function outcomeIn(lines: readonly string[]): Noticed['outcome'] {
  if (lines.some(line => line === 'APPROVED' || line === 'LAST: SUCCESSFUL')) return 'approved'
  return lines.some(line => /^DECLINED/.test(line) || line.startsWith('LAST: ')) ? 'declined' : null
}

function isCancelled(line: string): boolean {
  return line.startsWith('CANCEL')
}
