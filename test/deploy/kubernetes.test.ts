// test/deploy/kubernetes.test.ts — the manifests follow the schemas of Kubernetes and ask the gateway for what it serves.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { readConfig } from '../../src/config.ts'
import { textOf, yamlIn } from './files.ts'

type Manifest = Record<string, unknown> & { readonly kind: string }

const SCHEMAS = { ConfigMap, Service, StatefulSet }
const DOCUMENTS = yamlIn('deploy/kubernetes/tollgate.yaml') as readonly Manifest[]
const [configMap, service, set] = DOCUMENTS.map(checked) as unknown as [ConfigMap, Service, StatefulSet]
const pod = set.spec!.template.spec!
const [gateway, ...others] = pod.containers

/** @throws Error when a document does not follow the schema of its kind */
function checked(document: Manifest): object {
  const made = new SCHEMAS[document.kind as keyof typeof SCHEMAS](document as never)
  made.validate()
  return made
}

test('each document follows its schema, and a wrong one does not', () => {
  deepEqual(
    DOCUMENTS.map(({ kind }) => kind),
    ['ConfigMap', 'Service', 'StatefulSet'],
  )
  const { spec } = DOCUMENTS[2] as { readonly spec?: object }
  throws(() => checked({ ...DOCUMENTS[2], kind: 'StatefulSet', spec: { ...spec, replicas: 'one' } }))
})

test('one pod at a time has the volume', () => {
  deepEqual([set.spec!.replicas, others], [1, []])
  deepEqual(set.spec!.volumeClaimTemplates?.[0]?.spec?.accessModes, ['ReadWriteOnce'])
  const mounts = Object.fromEntries(gateway!.volumeMounts!.map(({ name, mountPath }) => [name, mountPath]))
  equal(mounts['data'], /TOLLGATE_DATA=(\S+)/.exec(textOf('deploy/Containerfile'))?.[1])
})

test('probes ask for addresses that the gateway serves, at its port', () => {
  const probes = [gateway!.startupProbe, gateway!.livenessProbe, gateway!.readinessProbe]
  const paths = probes.map(probe => probe?.httpGet?.path)
  deepEqual(paths, ['/health/live', '/health/live', '/health/ready'])
  const served = new Set(OPERATIONS.map(operation => ('path' in operation ? operation.path : '')))
  for (const path of paths) ok(served.has(path ?? ''), path)
  deepEqual(
    probes.map(probe => probe?.httpGet?.port),
    ['http', 'http', 'http'],
  )
  deepEqual(gateway!.ports, [{ name: 'http', containerPort: 4020 }])
  equal(service.spec!.ports?.[0]?.targetPort, 'http')
  deepEqual(service.spec!.selector, set.spec!.template.metadata!.labels)
})

test('the pod has no rights: no root, no capability, no writable system, no account of the cluster', () => {
  deepEqual(gateway!.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext!
  deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10_001, { type: 'RuntimeDefault' }])
  equal(pod.automountServiceAccountToken, false)
})

test('the settings are valid, and the grace period is longer than the stop of the gateway', () => {
  const env = Object.fromEntries(gateway!.env!.map(({ name, value }) => [name, value ?? 'what-the-secret-holds']))
  const key = Buffer.from(Buffer.alloc(32, 7).toString('base64'))
  const result = readConfig({ ...configMap.data, ...env }, {}, undefined, () => key)
  ok('config' in result, JSON.stringify(result))
  equal(result.config.mode, 'live')
  ok(pod.terminationGracePeriodSeconds! * 1_000 > result.config.shutdownLimitMs)
})

test('the secrets that it uses are those that the guide makes', () => {
  const guide = textOf('docs/deploy.md')
  const secrets = [
    ...gateway!.env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...pod.volumes!.flatMap(({ secret }) => secret?.secretName ?? []),
  ]
  deepEqual(secrets, ['tollgate-metrics', 'tollgate-keys'])
  for (const name of secrets) ok(guide.includes(`kubectl create secret generic ${name} `), name)
})
