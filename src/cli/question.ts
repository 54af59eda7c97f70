// src/cli/question.ts — asks a yes-or-no question at the keyboard.
import { createInterface } from 'node:readline/promises'
import type { Shell } from './shell.ts'

/** Asks until the answer is yes or no. Null when `signal` aborts or the input is closed. */
export async function askYesOrNo(shell: Shell, text: string, signal: AbortSignal): Promise<boolean | null> {
  const keyboard = createInterface({ input: shell.stdin, output: shell.stdout })
  // On a TTY readline consumes Ctrl-C, so the signal is sent again.
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
