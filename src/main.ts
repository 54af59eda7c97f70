// src/main.ts — the entry point: passes the process to src/cli.
import { runProgram } from './cli/program.ts'

const { argv, env, stdin, stdout, stderr } = process

// `tollgate cards | head -1` closes the pipe early, which is not an error.
stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runProgram(argv.slice(2), { env, stdin, stdout, stderr })
