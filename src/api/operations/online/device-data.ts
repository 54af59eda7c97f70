// src/api/operations/online/device-data.ts — the 3DS method: a hidden page shows the issuer's page for device data in a frame.
import { Type } from 'typebox'
import { deviceDataDonePage, deviceDataPage, noDeviceDataPage } from '../../describe/pages/issuer-relays.ts'
import { DEVICE_DATA_PATH } from '../../online/browser-answer.ts'
import { httpsOrigin } from '../../online/issuer-origin.ts'
import { openOperation } from '../../operation.ts'

const FORM = 'application/x-www-form-urlencoded'

export const sendDeviceData = openOperation({
  name: 'sendDeviceData',
  summary: 'Show the issuer’s page for device data',
  description:
    'The `formAction` of a scheme’s directory server, for a hidden frame: a page that shows the issuer’s page in a frame of its own, and ' +
    'posts a message to its parent window once the issuer is done, after ten seconds at the latest. Its policy allows this issuer’s origin only.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: DEVICE_DATA_PATH,
  body: { schema: Type.Object({ JWT: Type.String() }), examples: {}, mediaType: FORM },
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run({ api, base }, { form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    const token = form.value.get('JWT') ?? ''
    const post = await api.online.issuerPost(token)
    const origin = httpsOrigin(post?.url ?? '')
    // Without an issuer the form need not wait.
    if (post === null || origin === null) return noDeviceDataPage(token)
    return deviceDataPage(post, { token, origin, own: new URL(base).origin })
  },
})

export const endDeviceData = openOperation({
  name: 'endDeviceData',
  summary: 'Receive the issuer’s word that it has the device data',
  description:
    'The `threeDSMethodNotificationURL`. Answers the same whatever it gets, and decides nothing about a payment.',
  tag: 'Browser',
  area: 'browser',
  method: 'POST',
  path: `${DEVICE_DATA_PATH}/{token}`,
  body: { schema: Type.Object({ threeDSMethodData: Type.Optional(Type.String()) }), examples: {}, mediaType: FORM },
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run({ api }, { params, form: readForm }) {
    const form = readForm()
    if ('refused' in form) return form
    await api.online.deviceDataDone(params.token, form.value.get('threeDSMethodData') ?? '')
    return deviceDataDonePage(params.token)
  },
})
