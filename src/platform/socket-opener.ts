// src/platform/socket-opener.ts — opens lasting TCP and TLS connections to hosts. ADR 86.
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../engine/ports/clock.ts'
import type {
  ConnectFailure,
  HostAddress,
  HostSocket,
  HostTls,
  Opened,
  SocketOpener,
} from '../engine/ports/socket-opener.ts'

/** A link may be silent for minutes. Probes show a dead peer, and keep address translation alive. */
const PROBES_EVERY_MS = 20_000

/** Errors of Node when the certificate of the other side is not right. */
const ITS_CERTIFICATE = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_CERT|INVALID_CA|HOSTNAME_MISMATCH)/

/** Creates the opener. */
export function createSocketOpener({ clock }: { readonly clock: Clock }): SocketOpener {
  return {
    open: ({ address, tls, limitMs, events }) =>
      new Promise<Opened>(resolve => {
        const socket = tls === null ? connectTcp(address) : connectTls(tlsOptions(address, tls))
        let isOpen = false
        let why = 'closed'
        const limit = clock.alarm(clock.now() + limitMs, () => {
          fail('unreachable', `no connection within ${limitMs} ms`)
          socket.destroy()
        })
        const fail = (failed: ConnectFailure, detail: string): void => {
          limit.cancel()
          resolve({ failed, detail })
        }
        socket.once(tls === null ? 'connect' : 'secureConnect', () => {
          limit.cancel()
          isOpen = true
          socket.setNoDelay(true)
          socket.setKeepAlive(true, PROBES_EVERY_MS)
          resolve({ socket: handleOf(socket) })
        })
        socket.on('data', (bytes: Uint8Array) => events.onData(bytes))
        socket.on('error', error => {
          why = codeOf(error)
          if (!isOpen) fail(ITS_CERTIFICATE.test(why) ? 'untrusted' : 'unreachable', why)
        })
        socket.on('close', () => {
          if (isOpen) events.onClosed(why)
          else fail('unreachable', why)
        })
      }),
  }
}

function tlsOptions({ host, port }: HostAddress, tls: HostTls) {
  const { serverName = host } = tls
  return {
    ...{ host, port, ca: tls.authorities, cert: tls.certificate, key: tls.privateKey, minVersion: 'TLSv1.2' as const },
    // An IP address is compared with the certificate, but not sent as a name. RFC 6066, section 3.
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
  }
}

function handleOf(socket: Socket): HostSocket {
  return {
    write: bytes => {
      if (socket.writable) socket.write(bytes)
    },
    end: () => socket.end(),
    destroy: () => void socket.destroy(),
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : 'the connection failed'
}
