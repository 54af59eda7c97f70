// .dependency-cruiser.cjs — the import sentence of ARCHITECTURE.md as rules, the only place that has them. Run by `npm run
// lint`; test/import-rules.test.ts breaks each of them. ADR 44.

/** Whoever puts the parts together may know everyone; nobody else may know them. */
const ROOT = '^src/(main|wire|config)\\.ts$|^src/(cli|config)/'
/** Each of these knows the inside, itself, and what is named here. */
const OUTSIDE = {
  services: [],
  api: ['services'],
  store: [],
  platform: [],
  terminals: [],
  acquirers: [],
  'three-d-secure': [],
  wallets: [],
  simulator: ['api', 'services'],
  'demo-shop': ['api'],
  console: ['api'],
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-knows-nobody',
      comment: 'The domain is pure: no other folder, no package, no node module but assert.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/|^(node:)?assert' },
    },
    {
      name: 'engine-knows-domain',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/', pathNot: '^src/(engine|domain)/' },
    },
    ...Object.entries(OUTSIDE).map(([folder, friends]) => ({
      name: `${folder}-knows-the-inside`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...friends, 'engine', 'domain'].join('|')})/` },
    })),
    {
      name: 'peers-know-nobody',
      comment:
        'A peer that shared code with the connector it tests would share its mistakes. It has the language of scenarios, so that ' +
        'one word means the same everywhere. ADR 87.',
      severity: 'error',
      from: { path: '^src/peers/' },
      to: { path: '^src/', pathNot: '^src/peers/|^src/simulator/scenarios/' },
    },
    {
      name: 'peers-of-tests-know-nobody',
      comment:
        'The same for the peers that only tests have. What they share with tests must not lead to the program either.',
      severity: 'error',
      from: { path: '^test/peer/[^/]+/' },
      to: { path: '^src/', pathNot: '^src/peers/', reachable: true },
    },
    {
      name: 'only-commands-know-peers',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: '^src/(cli|peers)/' },
      to: { path: '^src/peers/' },
    },
    {
      name: 'config-knows-itself',
      comment: 'Settings are read before there is anything else.',
      severity: 'error',
      from: { path: '^src/config(\\.ts$|/)' },
      to: { path: '^src/', pathNot: '^src/config/' },
    },
    {
      name: 'web-knows-the-rules',
      comment:
        'What runs in a browser shares the pure rules, so that a form and the gateway agree. Of the rest neither has anything: ' +
        'they talk over HTTP.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(domain/|platform/card-rules\\.ts$)' },
    },
    {
      name: 'nobody-knows-the-web',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'nobody-knows-the-root',
      severity: 'error',
      from: { path: '^src/', pathNot: ROOT },
      to: { path: ROOT },
    },
    {
      name: 'no-strangers',
      comment: 'A file of src that lies in none of the known places.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${ROOT}|^src/(domain|engine|peers|${Object.keys(OUTSIDE).join('|')})/` },
      to: {},
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'only-listed-packages',
      comment:
        'What ships may only use what package.json lists. Which of it ships says decision record 4, held by test/tidy.test.ts.',
      severity: 'error',
      from: { path: '^(src|web)/' },
      to: { dependencyTypes: ['npm-unknown', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
