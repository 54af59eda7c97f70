// src/cli/iso8583-input.ts — reads dialect documents and messages from arguments, files and stdin.
import { readFileSync, statSync } from 'node:fs'
import { boundedBody } from '../platform/bounded-body.ts'
import { Failure } from './failure.ts'
import type { Shell } from './shell.ts'

/** Largest document, and largest file with a message in hexadecimal. */
const LARGEST_BYTES = 1_048_576
/** Hexadecimal digits in pairs, also with blanks and line ends between them. */
const HEX = /^\s*(?:[\da-f]\s*){2,}$/i
/** A message in ASCII begins with its type, or with the digits of its length. */
const TEXT = /^\d{4}[\x20-\x7e]*\r?\n?$/

/** The JSON document in a file. @param names dialects that a name which is no file may have meant */
export function documentIn(file: string, names: readonly string[]): unknown {
  const text = fileContent(file, `There is no file and no dialect ${file}; the dialects are ${names.join(', ')}.`)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(`${file}: is not valid JSON: ${error.message}.`)
    throw error
  }
}

/**
 * What the bytes of a message may be, the likeliest first. An argument, a file or stdin holds hexadecimal digits, the text of the
 * message, or its bytes; a message of digits only can be read in both ways.
 */
export async function messageReadings(shell: Shell, argument: string | undefined): Promise<readonly Uint8Array[]> {
  if (argument === undefined || argument === '-') return readingsOf(await standardInput(shell))
  if (HEX.test(argument) || TEXT.test(argument)) return readingsOf(Buffer.from(argument, 'latin1'))
  return readingsOf(
    fileContent(argument, 'The message is neither hexadecimal, nor text that begins with digits, nor a file.'),
  )
}

function readingsOf(content: Buffer): readonly Uint8Array[] {
  const text = content.toString('latin1')
  const digits = text.replace(/\s/g, '')
  // Editors and `echo` end a file with a line end.
  const itself = TEXT.test(text) ? Buffer.from(text.replace(/\r?\n$/, ''), 'latin1') : content
  return HEX.test(text) && digits.length % 2 === 0 ? [Buffer.from(digits, 'hex'), itself] : [itself]
}

function fileContent(file: string, missing: string): Buffer {
  try {
    if (statSync(file).size > LARGEST_BYTES) throw new Failure(`${file}: is larger than ${LARGEST_BYTES} bytes.`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new Failure(code === 'ENOENT' ? missing : `${file}: cannot be read (${code}).`, { cause: error })
  }
}

async function standardInput({ stdin }: Shell): Promise<Buffer> {
  const input = await boundedBody(stdin, LARGEST_BYTES)
  if (input === null) throw new Failure(`The input is larger than ${LARGEST_BYTES} bytes.`)
  return input
}
