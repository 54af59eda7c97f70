// test/api/nodes/requests.test.ts — GET /api/requests shows the requests of an account on whatever node they were. Two gateways on one Postgres.
import { deepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { type Node, openNodes } from '../../support/sandbox-nodes.ts'

interface Listed {
  readonly requests: readonly { readonly params: Readonly<Record<string, string>>; readonly at: string }[]
  readonly next: number | null
}

const listOf = async ({ till }: Node, query = '') =>
  (await till.ask('GET', `/api/requests${query}`)).json as unknown as Listed
const tidsOf = ({ requests }: Listed) => requests.map(({ params }) => params['tid'])

test('each node lists the requests of both, newest first, with filters and pages', async () => {
  const { nodes } = await openNodes(2)
  const [first, second] = nodes as [Node, Node]
  // The nodes go by one time.
  const pass = () => Promise.all(nodes.map(({ clock }) => clock.advance(10)))
  for (const [node, tid] of [
    [first, 'a'],
    [second, 'b'],
    [second, 'c'],
    [first, 'd'],
  ] as const) {
    await pass()
    await node.till.ask('GET', `/pac/terminals/${tid}`)
  }
  await pass()
  await second.till.ask('GET', '/pac/terminals')
  for (const node of nodes) {
    deepEqual(tidsOf(await listOf(node, '?status=404')), ['d', 'c', 'b', 'a'])
    const page = await listOf(node, '?status=404&limit=3')
    deepEqual(tidsOf(page), ['d', 'c', 'b'])
    deepEqual(tidsOf(await listOf(node, `?status=404&limit=3&before=${page.next}`)), ['a'])
  }
})
