// test/deploy/kubernetes.test.ts — the manifests follow the schemas of Kubernetes and ask the gateway for what it serves.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { readConfig } from '../../src/config.ts'
import { textOf, yamlIn } from './files.ts'

type Manifest = Record<string, unknown> & { readonly kind: string }

const SCHEMAS = { ConfigMap, Service, StatefulSet, Deployment, PodDisruptionBudget, NetworkPolicy }
const ONE_NODE = manifestsIn('deploy/kubernetes/tollgate.yaml')
const NODES = manifestsIn('deploy/kubernetes/nodes.yaml')
const POD_IP = '10.1.2.3'
const DATABASE = 'postgres://tollgate:secret@db.example/tollgate?sslmode=verify-full'

function manifestsIn(path: string) {
  const documents = yamlIn(path) as readonly Manifest[]
  const made = documents.map(checked)
  const one = <Kind>(kind: new (...given: never[]) => Kind) => made.find(each => each instanceof kind) as Kind
  const set = made.find(each => each instanceof StatefulSet || each instanceof Deployment) as StatefulSet | Deployment
  const { containers, ...pod } = set.spec!.template.spec!
  return { documents, one, set, pod, containers, gateway: containers[0]! }
}

/** @throws Error when a document does not follow the schema of its kind */
function checked(document: Manifest): object {
  const made = new SCHEMAS[document.kind as keyof typeof SCHEMAS](document as never)
  made.validate()
  return made
}

/** The settings of a pod, as the gateway reads them. */
function configOf({ one, gateway }: typeof NODES) {
  const env = Object.fromEntries(
    gateway.env!.map(({ name, value, valueFrom }) => {
      const fromSecret = valueFrom?.secretKeyRef?.name === 'tollgate-database' ? DATABASE : 'what-the-secret-holds'
      return [name, value?.replace('$(POD_IP)', POD_IP) ?? fromSecret]
    }),
  )
  const key = Buffer.from(Buffer.alloc(32, 7).toString('base64'))
  const result = readConfig({ ...one(ConfigMap).data, ...env }, {}, undefined, () => key)
  ok('config' in result, JSON.stringify(result))
  return result.config
}

describe.each([
  ['one node', ONE_NODE],
  ['several nodes', NODES],
] as const)('of %s', (_name, manifests) => {
  const { documents, one, set, pod, containers, gateway } = manifests

  test('each document follows its schema, and a wrong one does not', () => {
    ok(documents.length >= 3)
    for (const document of documents) {
      const { spec } = document as { readonly spec?: object }
      if (spec !== undefined && 'replicas' in spec)
        throws(() => checked({ ...document, spec: { ...spec, replicas: 'one' } }))
    }
  })

  test('the only container has a place for its data', () => {
    equal(containers.length, 1)
    const mounts = Object.fromEntries(gateway.volumeMounts!.map(({ name, mountPath }) => [name, mountPath]))
    equal(mounts['data'], /TOLLGATE_DATA=(\S+)/.exec(textOf('deploy/Containerfile'))?.[1])
  })

  test('probes ask for addresses that the gateway serves, at its port', () => {
    const probes = [gateway.startupProbe, gateway.livenessProbe, gateway.readinessProbe]
    const paths = probes.map(probe => probe?.httpGet?.path)
    deepEqual(paths, ['/health/live', '/health/live', '/health/ready'])
    const served = new Set(OPERATIONS.map(operation => ('path' in operation ? operation.path : '')))
    for (const path of paths) ok(served.has(path ?? ''), path)
    deepEqual(
      probes.map(probe => probe?.httpGet?.port),
      ['http', 'http', 'http'],
    )
    deepEqual(gateway.ports![0], { name: 'http', containerPort: 4020 })
    equal(one(Service).spec!.ports?.[0]?.targetPort, 'http')
    deepEqual(one(Service).spec!.selector, set.spec!.template.metadata!.labels)
    deepEqual(set.spec!.selector.matchLabels, set.spec!.template.metadata!.labels)
  })

  test('the pod has no rights: no root, no capability, no writable system, no account of the cluster', () => {
    deepEqual(gateway.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext!
    deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10_001, { type: 'RuntimeDefault' }])
    equal(pod.automountServiceAccountToken, false)
  })

  test('the settings are valid, and the grace period is longer than the stop of the gateway', () => {
    const { mode, drainMs, shutdownLimitMs } = configOf(manifests)
    equal(mode, 'live')
    ok(pod.terminationGracePeriodSeconds! * 1_000 > drainMs + shutdownLimitMs)
  })

  test('the secrets that it uses are those that the guide makes', () => {
    const guide = textOf('docs/deploy.md')
    const secrets = [
      ...gateway.env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
      ...pod.volumes!.flatMap(({ secret }) => secret?.secretName ?? []),
    ]
    ok(secrets.includes('tollgate-keys'))
    for (const name of secrets) ok(guide.includes(`kubectl create secret generic ${name} `), name)
  })
})

test('one pod at a time has the volume of a gateway without Postgres', () => {
  const set = ONE_NODE.one(StatefulSet)
  equal(set.spec!.replicas, 1)
  deepEqual(set.spec!.volumeClaimTemplates?.[0]?.spec?.accessModes, ['ReadWriteOnce'])
})

test('nodes reach each other at the port that their policy leaves to them', () => {
  const { nodeListen } = configOf(NODES)
  const [, nodes] = NODES.gateway.ports!
  deepEqual(nodeListen, { host: POD_IP, port: nodes!.containerPort })
  const { podSelector, ingress } = NODES.one(NetworkPolicy).spec!
  const labels = { matchLabels: NODES.set.spec!.template.metadata!.labels }
  deepEqual(podSelector, labels)
  const [tills, others] = ingress!
  deepEqual(
    [tills, others],
    [{ ports: [{ port: 'http' }] }, { from: [{ podSelector: labels }], ports: [{ port: nodes!.name }] }],
  )
})

test('an update starts a new node before it stops an old one, and a disruption takes one at a time', () => {
  const { replicas, strategy } = NODES.one(Deployment).spec!
  equal(replicas, 2)
  deepEqual(strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  const { maxUnavailable, selector } = NODES.one(PodDisruptionBudget).spec!
  equal(maxUnavailable, 1)
  deepEqual(selector, { matchLabels: NODES.set.spec!.template.metadata!.labels })
})

test('a node serves while the readiness probe fails and balancers take note', () => {
  const { periodSeconds, failureThreshold = 3 } = NODES.gateway.readinessProbe!
  ok(configOf(NODES).drainMs > periodSeconds! * failureThreshold * 1_000)
})
