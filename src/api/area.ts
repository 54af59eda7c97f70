// src/api/area.ts — the parts of the interface, which differ in callers and in the form of errors.

/**
 * `connect`: the published counter interface, version by the Accept header. `shop`: calls of web shops' servers, errors as
 * one line of text. `browser`: calls of payers' browsers, errors as `{statusCode, message}`. `management`: the management API,
 * errors as problem+json. `sandbox`: the same, in sandbox mode only. `system`: health, documents and pages.
 */
export type Area = 'connect' | 'shop' | 'browser' | 'management' | 'sandbox' | 'system'
