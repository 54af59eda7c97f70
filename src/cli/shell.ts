// src/cli/shell.ts — the process as a command sees it: environment, streams and exit code.

/** Access of a command to the process. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Sets the exit code of a command that does not fail by an error. Default 0. */
  exitWith(code: number): void
}

/**
 * Ignores errors of the output streams, such as a closed pipe or a full disk, so that the gateway keeps running. Other
 * commands end on them, see main.ts.
 */
export function outliveReaders({ stdout, stderr }: Shell): void {
  for (const stream of [stdout, stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => {})
  }
}

/** Writes a line to stdout. */
export function print(shell: Shell, line = ''): void {
  shell.stdout.write(`${line}\n`)
}

/** Writes what a command is about to do: to stderr when stdout is for JSON. */
export function printFirst(shell: Shell, line: string, { json }: { readonly json?: true }): void {
  const stream = json ? shell.stderr : shell.stdout
  stream.write(`${line}\n`)
}

/** Writes a value as JSON to stdout. */
export function printJson(shell: Shell, value: unknown): void {
  print(shell, JSON.stringify(value, null, 2))
}

/** Whether stdout is a TTY and NO_COLOR is not set. */
export function isColourful(shell: Shell): boolean {
  return shell.stdout.isTTY === true && !shell.env['NO_COLOR']
}
