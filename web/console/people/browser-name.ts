// web/console/people/browser-name.ts — a browser by what it calls itself.

/** Browser and system, as people call them. What is not known stays as it is. */
export function browserIn(agent: string): string {
  const [, browser, version] =
    /(Edg|OPR|Firefox)\/(\d+)/.exec(agent) ??
    /(Chrome)\/(\d+)/.exec(agent) ??
    /(Version)\/(\d+).* Safari/.exec(agent) ??
    []
  if (browser === undefined) return agent.slice(0, 40) || 'not known'
  // Phones call themselves Linux and Mac as well.
  const [, system] = /(iPhone|iPad|Android)/.exec(agent) ?? /(Windows|Mac OS X|Linux)/.exec(agent) ?? []
  const name = NAMES[browser] ?? browser
  return `${name} ${version}${system === undefined ? '' : ` on ${NAMES[system] ?? system}`}`
}

const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari', 'Mac OS X': 'macOS' }
