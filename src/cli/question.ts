// src/cli/question.ts — asks the person at the keyboard; the question can be taken back.
import { createInterface } from 'node:readline/promises'
import type { Shell } from './shell.ts'

/** Yes or no; null when `signal` took the question back or the keyboard was closed. */
export async function askYesOrNo(shell: Shell, text: string, signal: AbortSignal): Promise<boolean | null> {
  const keyboard = createInterface({ input: shell.stdin, output: shell.stdout })
  // At a terminal the interface takes Ctrl-C for itself; here it means what it always means.
  keyboard.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    for (;;) {
      const answer = (await keyboard.question(`${text} [y/n] `, { signal })).trim().toLowerCase()
      if (answer === 'y' || answer === 'yes') return true
      if (answer === 'n' || answer === 'no') return false
    }
  } catch {
    return null
  } finally {
    keyboard.close()
  }
}
