// src/api/operations/system/system-operations.ts — serves health checks, metrics and the OpenAPI document.
import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'

export const isLive = openOperation({
  name: 'isLive',
  summary: 'Check that the process is running',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: '/health/live',
  responses: { 200: { description: 'The process is running.', schema: Type.Object({ status: Type.Literal('live') }) } },
  run: () => ({ status: 200, body: { status: 'live' } }),
})

export const isReady = openOperation({
  name: 'isReady',
  summary: 'Check that the gateway accepts requests',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: '/health/ready',
  responses: {
    200: { description: 'The gateway accepts requests.', schema: Type.Object({ status: Type.Literal('ready') }) },
    503: {
      description: 'It does not accept requests.',
      schema: Type.Object({ status: Type.Literal('not ready'), problems: Type.Array(Type.String()) }),
    },
  },
  run({ api }) {
    const problems = api.ready()
    return problems.length === 0
      ? { status: 200, body: { status: 'ready' } }
      : { status: 503, body: { status: 'not ready', problems: [...problems] } }
  },
})

export const getMetrics = openOperation({
  name: 'getMetrics',
  summary: 'Metrics for Prometheus',
  description:
    'If a metrics token is configured, send it as a bearer token. Without one: public in sandbox mode, 404 in live mode.',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: '/metrics',
  responses: { 200: { description: 'All metrics.', mediaType: 'text/plain' } },
  refusals: ['credentials_missing', 'credentials_refused'],
  async run(context) {
    const refusal = refusalOfMetrics(context)
    if (refusal !== null) return refusal
    const { metrics } = context.api
    return { status: 200, bytes: Buffer.from(await metrics.text()), mediaType: metrics.contentType }
  },
})

function refusalOfMetrics({ api, request }: RequestContext): Answer | null {
  const { metricsToken, mode } = api.settings
  if (metricsToken === null) return mode === 'sandbox' ? null : { refused: { code: 'path_unknown' } }
  const headers = { 'www-authenticate': 'Bearer realm="Tollgate metrics"' }
  const sent = request.headers.authorization
  if (sent === undefined) return { refused: { code: 'credentials_missing' }, headers }
  const token = Buffer.from(/^bearer +(\S+) *$/i.exec(sent)?.[1] ?? '')
  const wanted = Buffer.from(metricsToken)
  const right = token.length === wanted.length && timingSafeEqual(token, wanted)
  return right ? null : { refused: { code: 'credentials_refused' }, headers }
}

export const getOpenApi = openOperation({
  name: 'getOpenApi',
  summary: 'The OpenAPI description',
  tag: 'System',
  area: 'system',
  method: 'GET',
  path: '/openapi.json',
  responses: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
  run: ({ api }) => ({ status: 200, bytes: api.openApiDocument(), mediaType: 'application/json; charset=utf-8' }),
})
