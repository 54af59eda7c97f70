// src/cli/password-question.ts — reads a password without showing it, and never from the command line.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from './failure.ts'
import type { Shell } from './shell.ts'

/** Asks twice at a keyboard. Otherwise reads the first line of the input. @throws Failure when there is none, or the two differ */
export async function askForPassword(shell: Shell): Promise<string> {
  const { stdin } = shell
  if (stdin.isTTY !== true) return required(await firstLine(stdin))
  const password = required(await askHidden(shell, 'Password: '))
  if ((await askHidden(shell, 'The same again: ')) !== password) throw new Failure('The two passwords differ.')
  return password
}

function required(password: string): string {
  if (password === '') throw new Failure('There is no password: type one, or give it as the first line of the input.')
  return password
}

async function firstLine(stdin: Shell['stdin']): Promise<string> {
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}

async function askHidden({ stdin, stderr }: Shell, question: string): Promise<string> {
  // readline echoes what is typed to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const keyboard = createInterface({ input: stdin, output: nowhere, terminal: true })
  const stopped = new AbortController()
  keyboard.on('SIGINT', () => stopped.abort())
  stderr.write(question)
  try {
    return await keyboard.question('', { signal: stopped.signal })
  } catch {
    throw new Failure('No password was given.')
  } finally {
    keyboard.close()
    stderr.write('\n')
  }
}
