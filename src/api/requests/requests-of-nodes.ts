// src/api/requests/requests-of-nodes.ts — lists the latest requests that the nodes of a gateway have served. ADR 54, 70.
import type { Log } from '../../engine/ports/log.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { LatestRequests, ListedRequest, RequestFilter, RequestPage } from './latest-requests.ts'

/** Time for a node to look into its memory, in milliseconds. */
const LIST_MS = 1_000
/** Characters of the requests in one answer, so that it fits into a call in any script: more than a page of ordinary ones. */
const MOST_CHARACTERS = 300_000

const CALL = 'requests.list'

interface Asked {
  readonly account: string
  readonly filter: RequestFilter
}

export interface RequestsOfNodesParts {
  readonly link: Pick<NodeLink, 'others' | 'handle' | 'call'>
  readonly log: Log
  /** Lists those of this node. */
  readonly list: LatestRequests['list']
}

/**
 * Returns a function that lists the requests of an account on all nodes, as one node does: newest first, with the position to
 * continue at. A node that does not answer in time is logged, and its requests are missing.
 */
export function listOnAllNodes({
  link,
  log,
  list,
}: RequestsOfNodesParts): (account: string, filter: RequestFilter) => Promise<RequestPage> {
  link.handle(CALL, async body => {
    const { account, filter } = body as Asked
    return bounded(list(account, filter))
  })

  async function listOn(node: string, asked: Asked): Promise<readonly RequestPage[]> {
    const called = await link.call(node, CALL, asked, LIST_MS)
    if (called.outcome === 'answered') return [called.body as RequestPage]
    log.warn({ node, account: asked.account }, 'latest requests of a node are missing in a list: it does not answer')
    return []
  }

  return async (account, filter) => {
    const own = list(account, filter)
    const others = await Promise.all(link.others.map(node => listOn(node, { account, filter })))
    return merged([own, ...others.flat()], filter.limit)
  }
}

/** A page that fits into an answer. */
function bounded({ requests, next }: RequestPage): RequestPage {
  let characters = 0
  const fitting = requests.findIndex(request => {
    characters += JSON.stringify(request).length
    return characters > MOST_CHARACTERS
  })
  // A single request is shorter.
  const some = fitting === -1 ? requests : requests.slice(0, fitting)
  return { requests: some, next: some.length < requests.length ? positionAtEnd(some) : next }
}

/** One page of all that pages of several nodes have, as long as none of them has more in between. */
function merged(pages: readonly RequestPage[], limit: number): RequestPage {
  const [only] = pages
  if (only !== undefined && pages.length === 1) return only
  // Behind its last request, a page that has a next one is not complete.
  const known = Math.max(...pages.map(({ next }) => next ?? 0))
  const all = pages
    .flatMap(({ requests }) => requests)
    .filter(({ position }) => position >= known)
    .toSorted((one, other) => other.position - one.position)
  const requests = wholePositions(all, limit)
  const isMore = requests.length < all.length || pages.some(({ next }) => next !== null)
  return { requests, next: isMore ? positionAtEnd(requests) : null }
}

/**
 * The first requests, up to `limit`. Two nodes may have used a position at the same moment: such requests are on one page, because
 * the next one begins below its position.
 */
function wholePositions(all: readonly ListedRequest[], limit: number): readonly ListedRequest[] {
  const split = all[limit]?.position
  const some = all.slice(0, limit)
  if (split === undefined || some.at(-1)?.position !== split) return some
  const above = some.filter(({ position }) => position > split)
  return above.length > 0 ? above : all.filter(({ position }) => position === split)
}

function positionAtEnd(requests: readonly ListedRequest[]): number | null {
  return requests.at(-1)?.position ?? null
}
