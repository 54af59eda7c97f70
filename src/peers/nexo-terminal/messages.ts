// src/peers/nexo-terminal/messages.ts — messages of the dialect, as far as a terminal looks into them.

export interface Members {
  readonly [name: string]: unknown
}

export interface Header {
  readonly ServiceID: string
  readonly SaleID: string
  readonly POIID: string
  readonly MessageCategory: string
}

/** A request whose envelope has been opened. */
export interface Request {
  readonly header: Header
  /** That of `PaymentRequest` and the like. */
  readonly body: Members
}

/** Reads an opened envelope. Null when it is no request of a till. */
export function requestIn(message: unknown): Request | null {
  const content = at(message, 'SaleToPOIRequest')
  const header = at(content, 'MessageHeader')
  const names = ['ServiceID', 'SaleID', 'POIID', 'MessageCategory'].map(name => at(header, name))
  if (!names.every(name => typeof name === 'string' && name !== '')) return null
  const body = at(content, `${at(header, 'MessageCategory')}Request`)
  return { header: header as Header, body: isObject(body) ? body : {} }
}

/** The member at a path of names; undefined when a part is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  )
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The `Response` of a request that failed. */
export function failure(ErrorCondition: string, AdditionalResponse = ''): Members {
  return { Result: 'Failure', ErrorCondition, AdditionalResponse }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
