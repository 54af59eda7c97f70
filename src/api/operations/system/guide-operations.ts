// src/api/operations/system/guide-operations.ts — serves the guides, the decision records, and their pictures and search.
import { GUIDES_PATH, type GuideFile, guideFile, guidePage } from '../../describe/pages/guides.ts'
import { PAGE_HEADERS } from '../../describe/pages/html.ts'
import { noneMatchNames } from '../../http/representation.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'

const PAGE = {
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  headers: ['If-None-Match'],
  responses: { 200: { description: 'A page.', mediaType: 'text/html' }, 304: { description: 'Not changed.' } },
} as const

export const getGuides = openOperation({
  ...PAGE,
  name: 'getGuides',
  summary: 'The list of the guides',
  path: GUIDES_PATH,
  run: context => answer(context, guidePage('')),
})

export const getGuide = openOperation({
  ...PAGE,
  name: 'getGuide',
  summary: 'A guide',
  path: `${GUIDES_PATH}/{guide}`,
  refusals: ['path_unknown'],
  run: (context, { params }) => answer(context, guidePage(params.guide)),
})

export const getDecision = openOperation({
  ...PAGE,
  name: 'getDecision',
  summary: 'A decision record',
  path: `${GUIDES_PATH}/decisions/{decision}`,
  refusals: ['path_unknown'],
  run: (context, { params }) => answer(context, guidePage(`decisions/${params.decision}`)),
})

export const getGuideFile = openOperation({
  ...PAGE,
  name: 'getGuideFile',
  summary: 'A picture of the guides, or the index of their search',
  path: `${GUIDES_PATH}/files/{file}`,
  responses: { 200: { description: 'The file.', mediaType: '*/*' }, 304: { description: 'Not changed.' } },
  refusals: ['path_unknown'],
  run: (context, { params }) => answer(context, guideFile(params.file)),
})

/** A browser keeps a page and asks each time whether it is current: after an update all pages fit together. */
function answer({ request }: RequestContext, found: GuideFile | null): Answer {
  if (found === null) return { refused: { code: 'path_unknown' } }
  const { bytes, mediaType, etag } = found
  const headers = { ...PAGE_HEADERS, 'cache-control': 'no-cache', etag }
  return noneMatchNames(request.headers['if-none-match'], etag)
    ? { status: 304, headers }
    : { status: 200, bytes, mediaType, headers }
}
