// web/frame/device-data.ts — device data collection before a 3-D Secure 2 payment: loads the issuer's page in a hidden
// frame.
import { onThisHost, PATHS, post } from './gateway.ts'

/** Time limit. The payment continues after it in any case. */
const LIMIT_MS = 15_000

/** Collects device data. Never rejects: without the data a challenge is only more likely. */
export async function collectDeviceData(token: string, body: unknown): Promise<void> {
  const answer = await post(PATHS.deviceData(token), body)
  const { formAction, token: jwt } = answer ?? {}
  if (typeof formAction !== 'string' || typeof jwt !== 'string' || formAction === '') return
  const frame = document.createElement('iframe')
  frame.name = 'device-data'
  frame.title = 'Device check'
  frame.className = 'device-data'
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  document.body.append(frame)
  const form = document.createElement('form')
  form.method = 'post'
  form.action = onThisHost(formAction)
  form.target = frame.name
  form.hidden = true
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = 'JWT'
  input.value = jwt
  form.append(input)
  document.body.append(form)
  const stop = new AbortController()
  const seen = new Promise<void>(resolve => {
    const listen = ({ source }: MessageEvent) => {
      if (source === frame.contentWindow) resolve()
    }
    addEventListener('message', listen, { signal: stop.signal })
    const limit = setTimeout(resolve, LIMIT_MS)
    stop.signal.addEventListener('abort', () => clearTimeout(limit))
  })
  form.submit()
  await seen
  stop.abort()
  form.remove()
  frame.remove()
}
