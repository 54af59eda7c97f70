// web/console/people/one-time-codes.tsx — users set up one-time codes, and get recovery codes.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { useForm } from '../parts/sending.ts'
import { useReading } from './reading.ts'

const PATH = '/api/session/one-time-codes'

interface State {
  readonly active: boolean
  readonly recoveryCodesLeft: number
  readonly secret: string
  readonly uri: string
}

export function OneTimeCodes({ gateway }: { readonly gateway: Gateway }) {
  const { body, problem, again } = useReading<State>(gateway, PATH)
  const [shown, setShown] = useState<'nothing' | 'setting up' | 'removing'>('nothing')
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([])
  const done = (codes: readonly string[]) => {
    setRecoveryCodes(codes)
    setShown('nothing')
    again()
  }
  return (
    <section aria-labelledby="codes-title">
      <h2 id="codes-title" class="after">
        One-time codes
      </h2>
      <p role="alert" class="bad">
        {problem}
      </p>
      {body !== null && (
        <p role="status">
          {body.active
            ? `Needed when you sign in with your password. ${body.recoveryCodesLeft} recovery codes are left.`
            : 'Not set up: your password is enough to sign in. An authenticator app on your phone makes it two steps.'}
        </p>
      )}
      {recoveryCodes.length > 0 && <RecoveryCodes codes={recoveryCodes} onKept={() => setRecoveryCodes([])} />}
      {body !== null && shown === 'nothing' && recoveryCodes.length === 0 && (
        <p class="actions">
          <button type="button" onClick={() => setShown('setting up')}>
            {body.active ? 'Set up another app…' : 'Set up one-time codes…'}
          </button>
          {body.active && (
            <button type="button" onClick={() => setShown('removing')}>
              Remove one-time codes…
            </button>
          )}
        </p>
      )}
      {body !== null && shown === 'setting up' && <SetUp gateway={gateway} state={body} onDone={done} />}
      {shown === 'removing' && <Removal gateway={gateway} onDone={() => done([])} />}
    </section>
  )
}

interface SetUpProps {
  readonly gateway: Gateway
  readonly state: State
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

function SetUp({ gateway, state: { secret, uri }, onDone }: SetUpProps) {
  const { problem, onSubmit } = useForm(async fields => {
    const body = { secret, ...Object.fromEntries(fields) }
    const answered = await gateway.send<{ recoveryCodes: string[] }>('PUT', PATH, body)
    if (!answered.ok) return answered.sentence
    onDone(answered.body.recoveryCodes)
    return null
  })
  return (
    <div class="panel set-up">
      <p>Read this code with an authenticator app, or type the secret into it.</p>
      <QrCode text={uri} name="QR code for an authenticator app" />
      <p>
        <code class="typed-secret">{secret.match(/.{4}/g)?.join(' ')}</code>{' '}
        <CopyButton text={() => secret}>Copy</CopyButton>
      </p>
      <form class="filters" onSubmit={onSubmit}>
        <label>
          Code in the app
          <input name="code" required inputMode="numeric" pattern="\d{6}" maxLength={6} autocomplete="one-time-code" />
        </label>
        <label>
          Your password
          <input name="password" type="password" required autocomplete="current-password" />
        </label>
        <button type="submit" class="main">
          Sign in with codes from now on
        </button>
      </form>
      <p role="alert" class="bad">
        {problem}
      </p>
    </div>
  )
}

function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  return (
    <div class="panel set-up">
      <p>
        <strong>Keep these recovery codes.</strong> Each signs you in once when your phone is lost. They are not shown
        again.
      </p>
      <ul class="recovery" aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <CopyButton text={() => codes.join('\n')}>Copy all</CopyButton>
        <button type="button" onClick={onKept}>
          I have kept them
        </button>
      </p>
    </div>
  )
}

function Removal({ gateway, onDone }: { readonly gateway: Gateway; readonly onDone: () => void }) {
  const { problem, onSubmit } = useForm(async fields => {
    const answered = await gateway.send('POST', `${PATH}/removal`, Object.fromEntries(fields))
    if (!answered.ok) return answered.sentence
    onDone()
    return null
  })
  return (
    <form class="filters" onSubmit={onSubmit}>
      <label>
        Your password
        <input name="password" type="password" required autocomplete="current-password" />
      </label>
      <button type="submit">Sign in without codes from now on</button>
      <p role="alert" class="bad">
        {problem}
      </p>
    </form>
  )
}
