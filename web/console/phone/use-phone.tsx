// web/console/phone/use-phone.tsx — makes a link by which a phone is the terminal, and shows it as a QR code.
import { useState } from 'preact/hooks'
import type { Caller } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { Modal } from '../parts/modal.tsx'
import { shortTime } from '../parts/time.ts'
import { addressesOf, type TerminalLink } from './link.ts'
import './phone.css'
import { QrCode } from '../parts/qr-code.tsx'

export interface UsePhoneProps {
  readonly gateway: Caller
  readonly tid: string
}

export function UsePhone({ gateway, tid }: UsePhoneProps) {
  const [link, setLink] = useState<TerminalLink | null>(null)
  const [notice, setNotice] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const path = `/sandbox/terminals/${encodeURIComponent(tid)}/links`
  const open = async () => {
    setNotice('')
    const answered = await gateway.send<TerminalLink>('POST', path)
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) setLink(answered.body)
  }
  const endAll = async () => {
    const answered = await gateway.send('DELETE', path)
    setProblem(answered.ok ? null : answered.sentence)
    if (answered.ok) setNotice('All links to this terminal have ended.')
    return answered.ok
  }
  return (
    <div class="use-phone">
      <button type="button" onClick={() => void open()}>
        Use a phone
      </button>
      {/* The limit of links is no dead end. */}
      {problem !== null && link === null && (
        <button type="button" onClick={() => void endAll()}>
          End all links
        </button>
      )}
      <span role="status">{notice}</span>
      <p role="alert" class="bad">
        {link === null && problem}
      </p>
      {link !== null && (
        <Modal title={`Use a phone as terminal ${tid}`} onClose={() => setLink(null)}>
          {close => <LinkShown link={link} problem={problem} close={close} endAll={endAll} />}
        </Modal>
      )}
    </div>
  )
}

interface LinkShownProps {
  readonly link: TerminalLink
  readonly problem: string | null
  readonly close: () => void
  readonly endAll: () => Promise<boolean>
}

function LinkShown({ link, problem, close, endAll }: LinkShownProps) {
  const addresses = addressesOf(link)
  return (
    <>
      {addresses.length === 0 ? <NotInNetwork link={link} /> : <InNetwork addresses={addresses} />}
      <p>
        Good until {shortTime(link.expiresAt, Date.now())}, for this terminal only. Anybody who has the address can
        press the terminal, and nothing else.
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      <p class="choices">
        <button type="button" onClick={close}>
          Close
        </button>
        <button type="button" onClick={() => void endAll().then(hasEnded => hasEnded && close())}>
          End all links
        </button>
      </p>
    </>
  )
}

function InNetwork({ addresses }: { readonly addresses: readonly string[] }) {
  const [chosen, setChosen] = useState(0)
  const address = addresses[chosen] ?? ''
  const { protocol } = new URL(address)
  return (
    <>
      <p>Scan this with the camera of a phone in the same network.</p>
      <QrCode text={address} name="QR code of the address below" />
      {addresses.length > 1 && (
        <label>
          If the phone does not find it, try another address of this machine
          <select value={chosen} onChange={event => setChosen(Number(event.currentTarget.value))}>
            {addresses.map((each, index) => (
              <option key={each} value={index}>
                {new URL(each).host}
              </option>
            ))}
          </select>
        </label>
      )}
      <Address text={address} />
      {protocol === 'http:' && <p class="quiet">The connection is not encrypted: type no number of a real card.</p>}
    </>
  )
}

function NotInNetwork({ link: { url } }: { readonly link: TerminalLink }) {
  return (
    <>
      <p>
        The gateway listens to its own machine only, so no phone reaches it. Stop it, start it again with{' '}
        <code>--host 0.0.0.0</code> or <code>HOST=0.0.0.0</code>, and come back here. From then on anybody in the
        network can use the test account, whose key is public.
      </p>
      <p>In another window of this machine the link works now:</p>
      <Address text={url} />
    </>
  )
}

function Address({ text }: { readonly text: string }) {
  return (
    <p class="address">
      <code class="fine">{text}</code>
      <CopyButton text={() => text}>Copy the address</CopyButton>
    </p>
  )
}
