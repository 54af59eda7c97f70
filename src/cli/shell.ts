// src/cli/shell.ts — what a command stands on: the environment, three streams and the exit code.

/** The process as a command sees it. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Sets the exit code, where it is neither 0 nor that of a failure. */
  exitWith(code: number): void
}

/**
 * Keeps the process alive when nobody reads what it prints any more, or nothing more fits on the disk. Other commands end
 * then: see main.ts.
 */
export function outliveReaders({ stdout, stderr }: Shell): void {
  for (const stream of [stdout, stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => {})
  }
}

/** Writes one line for whoever asked. */
export function say(shell: Shell, line = ''): void {
  shell.stdout.write(`${line}\n`)
}

/** Writes a value for a program to read. */
export function sayJson(shell: Shell, value: unknown): void {
  say(shell, JSON.stringify(value, null, 2))
}

/** Whether a person looks at the output, in colours if they like. */
export function isColourful(shell: Shell): boolean {
  return shell.stdout.isTTY === true && !shell.env['NO_COLOR']
}
