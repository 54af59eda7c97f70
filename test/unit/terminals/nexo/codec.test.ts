// test/unit/terminals/nexo/codec.test.ts — messages between gateway and terminal are encrypted as the provider's library does.
import { deepEqual, equal, throws } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decryptedByLibrary, encryptedByLibrary } from '../../../../src/peers/nexo-terminal/encryption.ts'
import { decode, deriveKey, encode, type Message, UnreadableMessage } from '../../../../src/terminals/nexo/codec.ts'

const SHARED = { identifier: 'shop', version: 1, passphrase: 'Tollgate-Nexo-Test-1' }
const KEY = deriveKey(SHARED)
const NONCE = Uint8Array.from({ length: 16 }, (_, index) => index)
const HEADER = {
  ...{ ProtocolVersion: '3.0', MessageClass: 'Service', MessageCategory: 'Payment', MessageType: 'Response' },
  ...{ ServiceID: '0000000001', SaleID: 'till', POIID: 'V400m-123456789' },
}
const MESSAGE: Message = {
  envelope: 'SaleToPOIResponse',
  header: HEADER,
  body: { PaymentResponse: { Response: { Result: 'Success' } } },
}

interface Secured {
  readonly MessageHeader: Record<string, unknown>
  readonly NexoBlob: string
  readonly SecurityTrailer: Record<string, unknown>
}

/** An encrypted message with changes. */
function changed(change: (secured: Secured) => object, message = MESSAGE): string {
  const [[envelope, secured] = ['', null]] = Object.entries(
    JSON.parse(encode(message, KEY, NONCE)) as Record<string, Secured>,
  )
  if (secured === null) throw new Error('no envelope')
  return JSON.stringify({ [envelope]: change(secured) })
}

test('1: the published vector comes out byte by byte, both ways', () => {
  equal(KEY.mac.toString('hex'), '880e3dc37a371b542941bda9b7367f3caed9c5166d6910aaae787aa77e507f23')
  equal(KEY.cipher.toString('hex'), '49f478c29c46234bc641fbdd2e71ad56746b3c46b1bcf27d1ee1abe44d5a34b3')
  equal(KEY.iv.toString('hex'), 'f0ffdf174b7ffcb690cd79c7c6a0688b')
  const message: Message = { envelope: 'SaleToPOIRequest', header: { ServiceID: '0000000001' }, body: {} }
  const text = encode(message, KEY, NONCE)
  deepEqual(JSON.parse(text), {
    SaleToPOIRequest: {
      MessageHeader: { ServiceID: '0000000001' },
      NexoBlob:
        'V5zv7O2ztDVroi3+Nk/GpDqi4SLA6lZDk4ocC4Cm1eiy/zlpEuBT/cxkHhA08KVWXsgL/MLiv+tBgk6CsZVTD2moJqHmM8cyNss3mZFBhGE=',
      SecurityTrailer: {
        ...{ AdyenCryptoVersion: 1, KeyIdentifier: 'shop', KeyVersion: 1, Nonce: 'AAECAwQFBgcICQoLDA0ODw==' },
        Hmac: 'FNCwPlhiEFPAySoq8WvNjsMNGPxZ0Kq2T0lHJAPe4u4=',
      },
    },
  })
  deepEqual(decode(text, [KEY]), { ...message, authentic: true })
})

/** Any text, with characters of all lengths in UTF-8. */
const TEXTS = fc.string({ unit: 'grapheme', maxLength: 200 })

test('2 and 3: the library decrypts what the driver encrypts, and the reverse', () => {
  fc.assert(
    fc.property(TEXTS, fc.uint8Array({ minLength: 16, maxLength: 16 }), (text, nonce) => {
      const message: Message = { ...MESSAGE, body: { PaymentResponse: { text } } }
      const plain = { SaleToPOIResponse: { MessageHeader: HEADER, PaymentResponse: { text } } }
      deepEqual(decryptedByLibrary(encode(message, KEY, nonce), SHARED), plain)
      deepEqual(decode(encryptedByLibrary(plain, SHARED), [KEY]), { ...message, authentic: true })
    }),
    // Each derives a key several times in the library, which takes milliseconds.
    { numRuns: 30 },
  )
})

describe('4: whatever is wrong with a message gives one and the same error', () => {
  const hmacOf = ({ SecurityTrailer }: Secured) => Buffer.from(String(SecurityTrailer['Hmac']), 'base64')
  const withTrailer = (secured: Secured, change: object) => ({
    ...secured,
    SecurityTrailer: { ...secured.SecurityTrailer, ...change },
  })
  const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 7 ? byte ^ 1 : byte)))
  const wrong: Readonly<Record<string, string>> = {
    'a bit of the MAC': changed(each => withTrailer(each, { Hmac: flipped(hmacOf(each)).toString('base64') })),
    'a MAC of 31 bytes': changed(each => withTrailer(each, { Hmac: hmacOf(each).subarray(1).toString('base64') })),
    'a MAC that is no base64': changed(each => withTrailer(each, { Hmac: '%%%' })),
    'no MAC': changed(each => withTrailer(each, { Hmac: undefined })),
    'a blob cut within a block': changed(each => ({ ...each, NexoBlob: each.NexoBlob.slice(0, 40) })),
    'a blob cut between blocks': changed(each => ({
      ...each,
      NexoBlob: Buffer.from(each.NexoBlob, 'base64').subarray(0, -16).toString('base64'),
    })),
    'an empty blob': changed(each => ({ ...each, NexoBlob: '' })),
    'a blob that is no text': changed(each => ({ ...each, NexoBlob: 5 })),
    'a nonce of 15 bytes': changed(each => withTrailer(each, { Nonce: Buffer.alloc(15).toString('base64') })),
    'another version of the encryption': changed(each => withTrailer(each, { AdyenCryptoVersion: 2 })),
    'another key': encode(MESSAGE, deriveKey({ ...SHARED, passphrase: 'Another-Test-Key-1' }), NONCE),
    'no trailer': changed(({ SecurityTrailer: _, ...rest }) => rest),
    'no envelope': '{"SaleToPoi":{}}',
    'no JSON': '{',
  }
  test.each(Object.entries(wrong))('%s', (_, text) => {
    throws(
      () => decode(text, [KEY]),
      (error: unknown) => error instanceof UnreadableMessage && error.message === new UnreadableMessage().message,
    )
  })
})

test.each(['ServiceID', 'SaleID', 'POIID', 'MessageCategory', 'MessageType'])(
  '5: a clear header with another %s than the authenticated one is refused',
  name => {
    const text = changed(each => ({ ...each, MessageHeader: { ...each.MessageHeader, [name]: 'other' } }))
    throws(() => decode(text, [KEY]), UnreadableMessage)
  },
)

test('6: an older key of the ring decrypts, an unknown version does not', () => {
  const newer = deriveKey({ ...SHARED, version: 2, passphrase: 'Tollgate-Nexo-Test-2' })
  const text = encode(MESSAGE, KEY, NONCE)
  equal(decode(text, [newer, KEY]).authentic, true)
  throws(() => decode(text, [newer]), UnreadableMessage)
})

test('a message in clear text is read, and not authentic', () => {
  const text = JSON.stringify({ SaleToPOIResponse: { MessageHeader: HEADER, ...MESSAGE.body } })
  deepEqual(decode(text, [KEY]), { ...MESSAGE, authentic: false })
})

test('members come in any order, and base64 with escaped slashes', () => {
  const reversed = changed(each => Object.fromEntries(Object.entries(each).reverse()))
  equal(decode(reversed.replaceAll('/', '\\/'), [KEY]).authentic, true)
})
