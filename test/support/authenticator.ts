// test/support/authenticator.ts — an authenticator of passkeys: makes keys and signs challenges as WebAuthn demands (ES256).
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface Signing {
  /** Default: the origin of requests that are not sent over a socket. */
  readonly origin?: string
  readonly rpId?: string
  /** Whether the device has asked for a PIN or a finger. Default: yes. */
  readonly verified?: boolean
  /** Signatures so far. Default: this device does not count. */
  readonly counter?: number
}

export class Authenticator {
  readonly id = createHash('sha256').update(`credential ${Math.random()}`).digest().subarray(0, 16)
  readonly #key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  })

  /** As `PublicKeyCredential.toJSON()` has a new passkey. @param challenge of the options */
  create(challenge: string, signing: Signing = {}) {
    const length = Buffer.from([0, this.id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#cose()])
    const data = this.#data(signing, attested)
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', challenge, signing).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** As `PublicKeyCredential.toJSON()` has a sign-in. */
  get(challenge: string, signing: Signing = {}) {
    const client = clientData('webauthn.get', challenge, signing)
    const data = this.#data(signing)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
    })
  }

  #credential<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #data({ rpId = 'localhost', verified = true, counter = 0 }: Signing, attested?: Buffer): Buffer {
    const flags = 0x01 | (verified ? 0x04 : 0) | (attested === undefined ? 0 : 0x40)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attested ?? Buffer.alloc(0)])
  }

  /** RFC 9052: a map with kty 2, alg -7, crv 1, x and y. */
  #cose(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }
}

function clientData(type: string, challenge: string, { origin = 'http://localhost' }: Signing): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
