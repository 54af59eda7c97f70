// test/deploy/metrics.test.ts — alert rules and dashboard are valid, and name only what the gateway measures.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { REFUSALS } from '../../src/domain/refusals.ts'
import { call, serving } from '../cli/tollgate.ts'
import { textOf, yamlIn } from './files.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}
interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string }[]
}
interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const [RULES] = yamlIn('deploy/prometheus/alerts.yaml') as [{ groups: readonly { rules: readonly Rule[] }[] }]
const ALERTS = RULES.groups.flatMap(({ rules }) => rules)
const DASHBOARD = JSON.parse(textOf('deploy/grafana/tollgate.json')) as Dashboard
/** Grafana replaces these before Prometheus reads the expression. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
const EXPRESSIONS = [
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
  ...DASHBOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, filledIn(expr)] as const)),
]

interface Named {
  readonly metrics: readonly string[]
  /** Matchers such as `code=~"a|b"`: label and values. */
  readonly labels: readonly (readonly [label: string, values: readonly string[]])[]
}

/** What an expression names. @throws Error when Prometheus would not read it */
function namedIn(expr: string): Named {
  const metrics: string[] = []
  const labels: [string, string[]][] = []
  parser.parse(expr).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expr}`)
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier')
        if (name !== null) metrics.push(expr.slice(name.from, name.to))
      }
      if (type.name !== 'UnquotedLabelMatcher') return
      const [, label = '', values = ''] = /^(\w+)\s*=~?\s*"(.*)"$/.exec(expr.slice(from, to)) ?? []
      labels.push([label, values.split('|')])
    },
  })
  return { metrics, labels }
}

/** Names that a family of this kind exposes. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

async function exposedBy(url: string): Promise<ReadonlySet<string>> {
  const text = await (await call(`${url}/metrics`)).text()
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', kind = '']) =>
      (SUFFIXES[kind] ?? ['']).map(suffix => name + suffix),
    ),
  )
}

test('the gateway exposes every metric that deploy names', async () => {
  const gateway = await serving()
  const exposed = await exposedBy(gateway.summary.url)
  // Prometheus itself makes it for everything that it reads.
  const known = new Set([...exposed, 'up'])
  const named = EXPRESSIONS.flatMap(([, expr]) => namedIn(expr).metrics)
  ok(named.length > 30)
  deepEqual(
    named.filter(name => !known.has(name)),
    [],
  )
  const own = [...exposed].filter(name => /^tollgate_(?!.*_(bucket|sum)$)/.test(name))
  const shown = new Set(
    DASHBOARD.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namedIn(filledIn(expr)).metrics)),
  )
  deepEqual(
    own.filter(name => !shown.has(name) && !shown.has(name.replace(/_count$/, '_bucket'))),
    [],
    'the dashboard shows everything that is measured',
  )
})

test('codes and operations that deploy names exist', () => {
  const valuesOf = (label: string) =>
    EXPRESSIONS.flatMap(([, expr]) => namedIn(expr).labels.flatMap(([name, values]) => (name === label ? values : [])))
  const codes = valuesOf('code')
  ok(codes.length > 3)
  deepEqual(
    codes.filter(code => !(code in REFUSALS)),
    [],
  )
  const operations = new Set(OPERATIONS.map(({ name }) => name))
  ok(valuesOf('operation').length > 0)
  deepEqual(
    valuesOf('operation').filter(name => !operations.has(name)),
    [],
  )
})

test('a metric that does not exist and an expression that is none are found', () => {
  deepEqual(namedIn('sum by (code) (rate(no_such_metric{code=~"a|b"}[5m]))'), {
    metrics: ['no_such_metric'],
    labels: [['code', ['a', 'b']]],
  })
  let message = ''
  try {
    namedIn('sum by (code (rate(a[5m]))')
  } catch (error) {
    message = String(error)
  }
  ok(message.includes('not PromQL'))
})

describe('alerts', () => {
  test('have names of their own, a severity and something to do', () => {
    ok(ALERTS.length > 10)
    equal(new Set(ALERTS.map(({ alert }) => alert)).size, ALERTS.length)
    for (const { alert, labels, annotations } of ALERTS) {
      ok(['warning', 'critical'].includes(labels.severity), alert)
      ok(annotations.summary.endsWith('.') && annotations.action.length > 20, alert)
    }
  })

  test('are read from where the gateway answers', () => {
    const [{ scrape_configs: jobs }] = yamlIn('deploy/prometheus/scrape.yaml') as [
      { scrape_configs: readonly { readonly job_name: string }[] },
    ]
    deepEqual(
      jobs.map(({ job_name }) => job_name),
      ['tollgate'],
    )
  })
})

test('panels of the dashboard do not overlap', () => {
  equal(new Set(DASHBOARD.panels.map(({ id }) => id)).size, DASHBOARD.panels.length)
  const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  )
  equal(new Set(cells).size, cells.length)
  ok(DASHBOARD.panels.every(({ gridPos: { x, w } }) => x + w <= 24))
})
