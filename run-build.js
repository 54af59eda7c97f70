// run-build.js — runs build.ts, or says how to install without the development packages. Plain JavaScript, because without
// them nothing reads TypeScript. ADR 56.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (isInstalled('tsx') && isInstalled('esbuild')) {
  const program = fileURLToPath(new URL('build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), program], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} else {
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  process.stderr.write(
    'Without the development packages Tollgate cannot be built: run `npm ci && npm prune --omit=dev` and then ' +
      '`node bin/tollgate.js serve`, or install the tarball that `npm pack` makes elsewhere with ' +
      `\`npm i -g ./tollgate-${version}.tgz\`.\n`,
  )
  process.exitCode = 1
}

function isInstalled(name) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
