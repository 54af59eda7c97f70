// src/main.ts — the program. It reads the process here and nowhere else; src/cli does the rest.
import { runProgram } from './cli/program.ts'

const { argv, env, stdin, stdout, stderr } = process

// `tollgate cards | head -1`: whoever read has seen enough.
stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runProgram(argv.slice(2), { env, stdin, stdout, stderr })
