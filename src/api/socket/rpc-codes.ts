// src/api/socket/rpc-codes.ts — the JSON-RPC error codes and their messages.
// The meanings of the seven codes from -32070 are not published. Correct them here and in answers.ts if they become known.

export const RPC_ERRORS = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid parameter',
  [-32603]: 'Internal error',
  [-32070]: 'Connect error',
  [-32071]: 'Terminal busy',
  [-32072]: 'Unable to cancel',
  [-32073]: 'Response timeout',
  [-32074]: 'No data',
  [-32075]: 'Not supported',
  [-32076]: 'Connection Discontinued',
} as const satisfies Record<number, string>

export type RpcCode = keyof typeof RPC_ERRORS

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INTERNAL_ERROR = -32603
export const DISCONTINUED = -32076
