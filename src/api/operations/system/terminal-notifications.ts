// src/api/operations/system/terminal-notifications.ts — takes what real terminals post while a payment runs. ADR 92.
import { Type } from 'typebox'
import { type Answer, openOperation } from '../../operation.ts'

/** By which a sender knows that it need not repeat the notification. */
const ACCEPTED: Answer = { status: 200, bytes: Buffer.from('[accepted]'), mediaType: 'text/plain; charset=utf-8' }

const NOTIFICATION = Type.Object({}, { additionalProperties: true, $id: 'TerminalNotification' })

export const takeTerminalNotification = openOperation({
  name: 'takeTerminalNotification',
  summary: 'Take a notification of a terminal',
  description:
    'Where a terminal that speaks nexo, or its provider, posts what the terminal displays. The user and the password are in the settings of ' +
    'the terminal; with a shared key the message must be encrypted as well. A terminal that does not exist is answered like a wrong password. A display of the running payment is passed on to its till, and for a result the terminal is asked. Anything else is passed over.',
  tag: 'System',
  area: 'system',
  method: 'POST',
  path: '/terminals/{account}/{tid}/notifications',
  body: {
    schema: NOTIFICATION,
    examples: {
      clear: {
        SaleToPOIRequest: {
          MessageHeader: { MessageCategory: 'Display', MessageType: 'Notification', ServiceID: '0123456789' },
          DisplayRequest: { DisplayOutput: [] },
        },
      },
    },
  },
  responses: { 200: { description: 'Taken: `[accepted]`.', mediaType: 'text/plain' } },
  refusals: ['credentials_missing', 'credentials_refused'],
  async run({ api, request }, { params, text }) {
    const { authorization = null } = request.headers
    if (authorization === null) return { refused: { code: 'credentials_missing' } }
    const sent = text()
    if ('refused' in sent) return sent
    const outcome = await api.transactions.takeNotification(params.account, params.tid, {
      authorization,
      text: sent.text ?? '',
    })
    return outcome === 'taken' ? ACCEPTED : { refused: { code: 'credentials_refused' } }
  },
})
