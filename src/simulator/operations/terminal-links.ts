// src/simulator/operations/terminal-links.ts — operations on links by which a phone presses one simulated terminal. ADR 80.
import { Type } from 'typebox'
import { utcTimeOf } from '../../api/local-time.ts'
import { accountOperation } from '../../api/operation.ts'
import { TIME } from '../../api/schemas.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { installed, unavailable } from './terminals.ts'

const LINK = Type.Object(
  {
    url: Type.String({
      description: 'Page of the terminal. Who has it can press the terminal: it is shown only here.',
    }),
    expiresAt: TIME,
    addresses: Type.Array(Type.String(), {
      description:
        'The same page at each address of the gateway’s machine in its networks. Empty when the gateway listens to its own machine only.',
    }),
  },
  { $id: 'TerminalLink' },
)

const EXAMPLE_URL =
  'http://192.168.1.20:4020/console/terminal#ZGVtbw.MjIxNjAwMDE.mFz0d1Xv6LrJp3nQk8sYbT2hWc5uEiAoR7gNqKxVl9M'
const EXAMPLE_LINK = { url: EXAMPLE_URL, expiresAt: '2026-11-30T11:00:00.000Z', addresses: [EXAMPLE_URL] }

/** Hosts that are this machine, whichever it is. */
const THIS_MACHINE = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

export const openTerminalLink = accountOperation({
  name: 'openTerminalLink',
  summary: 'Make a link by which a phone presses a simulated terminal',
  description:
    'For this terminal only, for an hour of the gateway’s clock, without an API key. Made by a user, or with an API key of one, it stops ' +
    'when the user ends or may no longer press terminals. The secret is behind the number sign of the address, which browsers send to ' +
    'nobody. A terminal may have 20 links.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/links',
  right: 'operate',
  responses: { 201: { description: 'The link.', schema: LINK, example: EXAMPLE_LINK } },
  refusals: ['terminal_unavailable', 'too_many_links'],
  async run(context, { params: { tid } }) {
    const { api, base, person, key } = context
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    const opened = sandboxOf(api).links.open(terminal, person?.user.id ?? key?.user ?? null)
    if (opened === null) return { refused: { code: 'too_many_links', tid } }
    const pageAt = (address: string) => `${address}/console/terminal#${opened.token}`
    const addresses = api.networkUrls?.() ?? []
    const [reachable = base] = THIS_MACHINE.test(new URL(base).hostname) ? addresses : []
    return {
      status: 201,
      body: { url: pageAt(reachable), expiresAt: utcTimeOf(opened.expiresAt), addresses: addresses.map(pageAt) },
    }
  },
})

export const endTerminalLinks = accountOperation({
  name: 'endTerminalLinks',
  summary: 'End all links to a simulated terminal',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/terminals/{tid}/links',
  right: 'operate',
  responses: { 204: { description: 'The terminal has no link.' } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid } }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    sandboxOf(context.api).links.end(terminal)
    return { status: 204 }
  },
})
