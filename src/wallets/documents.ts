// src/wallets/documents.ts — parses an operator's files with the keys of wallets.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { AppleIdentity, ApplePaySettings } from './apple-pay.ts'
import type { GooglePaySettings } from './google-pay.ts'

/** The problem of a document, as a sentence about one of its fields. */
export interface DocumentProblem {
  readonly problem: string
}

type Fields = Readonly<Record<string, unknown>>

class Wrong extends Error {
  override readonly name = 'Wrong'
}

/**
 * Parses `{"gatewayId", "privateKeys": [PEM or base64], "rootSigningKeys": {"keys": […]}}`, the last as Google publishes it.
 * `merchantId` replaces `gatewayId` for a merchant that decrypts tokens itself. With `sheet` browsers can open Google's sheet:
 * `{"merchantId", "merchantName", "countryCode", "environment"?: "TEST"}`.
 */
export function readGooglePay(text: string): GooglePaySettings | DocumentProblem {
  return reading(text, document => {
    const { gatewayId, merchantId, rootSigningKeys } = document
    const isGateway = typeof gatewayId === 'string' && gatewayId !== ''
    if (!isGateway && (typeof merchantId !== 'string' || merchantId === ''))
      throw new Wrong('gatewayId or merchantId must be the id that Google knows you by.')
    const list = isFields(rootSigningKeys) ? rootSigningKeys['keys'] : rootSigningKeys
    const roots = Array.isArray(list) ? list.filter(isFields) : []
    const rootKeys = roots.filter(({ protocolVersion }) => protocolVersion === 'ECv2').map(rootKeyOf)
    if (rootKeys.length === 0) throw new Wrong('rootSigningKeys must hold a key of protocolVersion ECv2.')
    const recipient = isGateway ? `gateway:${gatewayId}` : `merchant:${String(merchantId)}`
    const sheet = document['sheet'] === undefined ? {} : { sheet: googleSheetOf(document['sheet'], merchantId) }
    return { recipient, privateKeys: privateKeysOf(document), rootKeys, ...sheet }
  })
}

/**
 * Parses `{"rootCertificate": PEM, "merchants": [{"merchantIdentifier", "privateKeys": […], "accounts"?: […], "identity"?}]}`.
 * With `identity` browsers can open Apple's sheet: `{"certificate": PEM, "privateKey": PEM, "displayName", "countryCode"}`.
 */
export function readApplePay(text: string): ApplePaySettings | DocumentProblem {
  return reading(text, ({ rootCertificate, merchants }) => {
    const list = Array.isArray(merchants) ? merchants.filter(isFields) : []
    if (list.length === 0) throw new Wrong('merchants must list who takes Apple Pay.')
    return {
      root: certificateOf(rootCertificate),
      merchants: list.map(merchant => {
        const { merchantIdentifier: identifier, accounts = null } = merchant
        if (typeof identifier !== 'string' || identifier === '')
          throw new Wrong('merchantIdentifier must be the one that is registered with Apple.')
        if (accounts !== null && !isTexts(accounts)) throw new Wrong('accounts must list ids of merchant accounts.')
        const { identity } = merchant
        return {
          ...{ identifier, accounts, privateKeys: privateKeysOf(merchant) },
          ...(identity === undefined ? {} : { identity: identityOf(identity) }),
        }
      }),
    }
  })
}

function reading<T>(text: string, read: (document: Fields) => T): T | DocumentProblem {
  try {
    const document: unknown = JSON.parse(text)
    if (!isFields(document)) throw new Wrong('It must be a JSON object.')
    return read(document)
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.message }
    // The parser's message is dropped, because it quotes the text, which contains keys.
    if (error instanceof SyntaxError) return { problem: 'It must be JSON.' }
    throw error
  }
}

function privateKeysOf({ privateKeys }: Fields): readonly KeyObject[] {
  if (!isTexts(privateKeys) || privateKeys.length === 0)
    throw new Wrong('privateKeys must list the keys, newest first.')
  return privateKeys.map(text => {
    const key = keyFrom(() =>
      createPrivateKey(
        text.includes('-----') ? text : { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' },
      ),
    )
    if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
    throw new Wrong('privateKeys must be EC keys on P-256, in PEM or PKCS #8 in base64.')
  })
}

function rootKeyOf({ keyValue, keyExpiration }: Fields): GooglePaySettings['rootKeys'][number] {
  const key = keyFrom(() =>
    createPublicKey({ key: Buffer.from(String(keyValue), 'base64'), format: 'der', type: 'spki' }),
  )
  if (key === null) throw new Wrong('rootSigningKeys must be public keys in base64, as Google publishes them.')
  const expires = keyExpiration === undefined ? null : Number(keyExpiration)
  if (expires !== null && !Number.isSafeInteger(expires)) throw new Wrong('keyExpiration must be in milliseconds.')
  return { key, expiresAt: expires }
}

function googleSheetOf(given: unknown, defaultMerchantId: unknown): NonNullable<GooglePaySettings['sheet']> {
  const {
    merchantId = defaultMerchantId,
    merchantName,
    countryCode,
    environment = 'PRODUCTION',
  } = fieldsOf('sheet', given)
  if (environment !== 'PRODUCTION' && environment !== 'TEST')
    throw new Wrong('sheet.environment must be PRODUCTION or TEST.')
  return {
    environment,
    merchantId: wordsIn('sheet.merchantId', merchantId),
    merchantName: wordsIn('sheet.merchantName', merchantName),
    countryCode: countryIn('sheet.countryCode', countryCode),
  }
}

function identityOf(given: unknown): AppleIdentity {
  const { certificate, privateKey, displayName, countryCode } = fieldsOf('identity', given)
  const key = keyFrom(() => createPrivateKey(String(privateKey)))
  if (key === null) throw new Wrong('identity.privateKey must be the key of the certificate, in PEM.')
  try {
    if (!new X509Certificate(String(certificate)).checkPrivateKey(key))
      throw new Wrong('identity.certificate and identity.privateKey do not belong together.')
  } catch (error) {
    if (error instanceof Wrong) throw error
    throw new Wrong('identity.certificate must be the merchant identity certificate, in PEM.')
  }
  return {
    certificate: String(certificate),
    privateKey: String(privateKey),
    displayName: wordsIn('identity.displayName', displayName),
    countryCode: countryIn('identity.countryCode', countryCode),
  }
}

function fieldsOf(name: string, value: unknown): Fields {
  if (!isFields(value)) throw new Wrong(`${name} must be an object.`)
  return value
}

/** Longest name that Apple and Google show. */
const LONGEST_NAME = 64

function wordsIn(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_NAME)
    throw new Wrong(`${name} must be a text of at most ${LONGEST_NAME} characters.`)
  return value
}

function countryIn(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Z]{2}$/.test(value))
    throw new Wrong(`${name} must be two letters, such as GB.`)
  return value
}

function certificateOf(pem: unknown): X509Certificate {
  try {
    return new X509Certificate(String(pem))
  } catch {
    throw new Wrong('rootCertificate must be a certificate in PEM.')
  }
}

function keyFrom(make: () => KeyObject): KeyObject | null {
  try {
    return make()
  } catch {
    return null
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}
