// src/three-d-secure/emv/code-meanings.ts — what the codes in messages mean, for people who read them.

type Meanings = Readonly<Record<string, string>>

const YES_NO: Meanings = { Y: 'yes', N: 'no' }

const TRUST: Meanings = {
  ...{ Y: 'merchant is on the list', N: 'merchant is not on the list', E: 'not eligible', P: 'pending' },
  ...{ R: 'rejected by the payer', U: 'unknown' },
}
const TRUST_SOURCE: Meanings = { '01': '3DS Server', '02': 'directory server', '03': 'access control server' }

const METHOD: Meanings = {
  ...{
    '01': 'static passcode',
    '02': 'one-time code by SMS',
    '03': 'one-time code of a reader',
    '04': 'one-time code of an app',
  },
  ...{ '05': 'other one-time code', '06': 'questions', '07': 'out of band, biometrics', '08': 'out of band, login' },
  ...{ '09': 'out of band, other', '10': 'other', '11': 'push confirmation', '12': 'decoupled', '13': 'WebAuthn' },
  ...{ '14': 'secure payment confirmation', '15': 'behaviour', '16': 'electronic id' },
}

const INDICATOR: Meanings = {
  ...{ '00': 'no authentication (Mastercard)', '01': 'attempted (Mastercard)', '02': 'authenticated (Mastercard)' },
  ...{ '04': 'data only (Mastercard)', '05': 'authenticated', '06': 'attempted; exemption (Mastercard)' },
  '07': 'no authentication; recurring (Mastercard)',
}

const CHALLENGE_WISH: Meanings = {
  ...{ '01': 'no preference', '02': 'no challenge', '03': 'challenge wanted', '04': 'challenge mandated' },
  ...{
    '05': 'no challenge: risk analysis done',
    '06': 'no challenge: data share only',
    '07': 'no challenge: payer already authenticated',
  },
  ...{ '08': 'no challenge: trust list', '09': 'challenge: offer the trust list', '10': 'no challenge: low value' },
  ...{
    '11': 'no challenge: corporate payment',
    '12': 'challenge: bind the device',
    '13': 'challenge: asked for by the issuer',
  },
  '14': 'no challenge: initiated by the merchant',
}

const MEANINGS: Readonly<Record<string, Meanings>> = {
  messageType: {
    ...{
      PReq: 'request for card ranges',
      PRes: 'card ranges',
      AReq: 'authentication request',
      ARes: 'authentication answer',
    },
    ...{ CReq: 'challenge request', CRes: 'end of the challenge in the browser', RReq: 'result of the challenge' },
    ...{ RRes: 'result received', Erro: 'error' },
  },
  messageCategory: { '01': 'payment', '02': 'no payment', '80': 'data only (Mastercard)' },
  deviceChannel: { '01': 'app', '02': 'browser', '03': 'payer absent (3RI)' },
  threeDSCompInd: { Y: '3DS method completed', N: '3DS method not completed', U: 'no 3DS method' },
  threeDSRequestorAuthenticationInd: {
    ...{ '01': 'payment', '02': 'recurring', '03': 'instalment', '04': 'add card', '05': 'maintain card' },
    ...{
      '06': 'verification for a token',
      '07': 'billing agreement',
      '08': 'split shipment',
      '09': 'delayed shipment',
    },
    '10': 'split payment',
  },
  threeRIInd: {
    ...{ '01': 'recurring', '02': 'instalment', '03': 'add card', '04': 'maintain card', '05': 'account verification' },
    ...{ '06': 'split or delayed shipment', '07': 'top-up', '08': 'mail order', '09': 'telephone order' },
    ...{ '10': 'trust list check', '11': 'other payment', '12': 'billing agreement', '13': 'device binding check' },
    ...{ '14': 'security code check', '15': 'delayed shipment', '16': 'split payment', '17': 'FIDO: delete' },
    '18': 'FIDO: register',
  },
  amountInd: { '01': 'fixed', '02': 'variable' },
  frequencyInd: { '01': 'fixed', '02': 'variable' },
  threeDSRequestorChallengeInd: CHALLENGE_WISH,
  acctType: { '01': 'not applicable', '02': 'credit', '03': 'debit' },
  transType: {
    ...{ '01': 'goods or services', '03': 'cheque', '10': 'account funding', '11': 'quasi-cash', '28': 'prepaid load' },
  },
  transStatus: {
    ...{ Y: 'authenticated', A: 'attempted, with proof', N: 'not authenticated', U: 'could not be done' },
    ...{ R: 'rejected: do not authorise', C: 'challenge needed', D: 'decoupled authentication' },
    ...{ I: 'informational', S: 'challenge by secure payment confirmation' },
  },
  transStatusReason: {
    ...{ '01': 'card authentication failed', '02': 'unknown device', '03': 'unsupported device', '04': 'too frequent' },
    ...{ '05': 'expired card', '06': 'invalid number', '07': 'invalid transaction', '08': 'no card record' },
    ...{
      '09': 'security failure',
      '10': 'stolen card',
      '11': 'suspected fraud',
      '12': 'not permitted to the cardholder',
    },
    ...{ '13': 'not enrolled', '14': 'timed out at the access control server', '15': 'low confidence' },
    ...{
      '16': 'medium confidence',
      '17': 'high confidence',
      '18': 'very high confidence',
      '19': 'too many challenges',
    },
    ...{ '20': 'only payments are supported', '21': '3RI is not supported', '22': 'technical problem of the issuer' },
    ...{
      '23': 'decoupled authentication was needed and not offered',
      '24': 'time for decoupled authentication exceeded',
    },
    ...{ '25': 'too little time for decoupled authentication', '26': 'attempted; the payer did nothing' },
    ...{ '27': 'preferred method not supported', '28': 'content policy', '29': 'not completed; try decoupled' },
    '30': 'completed; decoupled authentication needed too',
  },
  eci: INDICATOR,
  acsChallengeMandated: YES_NO,
  acsDecConInd: YES_NO,
  threeDSRequestorDecReqInd: { ...YES_NO, F: 'after a challenge', B: 'instead of and after a challenge' },
  addrMatch: YES_NO,
  authenticationType: { '01': 'static', '02': 'dynamic', '03': 'out of band', '04': 'decoupled' },
  authenticationMethod: METHOD,
  challengeCancel: {
    ...{
      '01': 'cancelled by the payer',
      '02': 'cancelled by the requestor',
      '03': 'decoupled authentication timed out',
    },
    ...{ '04': 'timed out at the issuer', '05': 'the challenge was never opened', '06': 'error', '07': 'unknown' },
    ...{ '08': 'timed out in the app', '09': 'error after the CRes', '10': 'error after the CReq' },
  },
  challengeWindowSize: {
    ...{ '01': '250 × 400', '02': '390 × 400', '03': '500 × 600', '04': '600 × 400', '05': 'full screen' },
  },
  resultsStatus: {
    ...{ '01': 'received', '02': 'challenge was not opened', '03': 'challenge data did not arrive' },
  },
  transChallengeExemption: {
    ...{ '05': 'risk analysis', '08': 'trust list', '10': 'low value', '11': 'corporate payment', '79': 'none' },
  },
  whiteListStatus: TRUST,
  trustListStatus: TRUST,
  whiteListStatusSource: TRUST_SOURCE,
  trustListStatusSource: TRUST_SOURCE,
  actionInd: { A: 'add', M: 'modify', D: 'delete' },
  acsInfoInd: { '01': 'authentication', '02': 'attempts', '03': 'decoupled authentication', '04': 'trust list' },
  errorComponent: { C: 'app', S: '3DS Server', D: 'directory server', A: 'access control server' },
  errorCode: {
    ...{ '101': 'not for this receiver, or unreadable', '102': 'version not supported', '103': 'too many messages' },
    ...{ '201': 'required element missing', '202': 'critical extension not recognised', '203': 'invalid format' },
    ...{ '204': 'duplicate element', '205': 'card ranges overlap', '206': 'action on a card range not possible' },
    ...{ '207': 'reserved value not recognised', '301': 'transaction id not known', '302': 'decryption failed' },
    ...{
      '303': 'access denied',
      '304': 'ISO code invalid',
      '305': 'transaction data not valid, or card range unknown',
    },
    ...{ '306': 'merchant category code invalid', '307': 'serial number not valid', '312': 'duplicate result' },
    ...{
      '402': 'transaction timed out',
      '403': 'transient failure',
      '404': 'permanent failure',
      '405': 'no connection',
    },
  },
}

/** Meaning of the code that a member has; null when it has none, or the code is a directory server's own. */
export function meaningOfCode(member: string, code: unknown): string | null {
  const meanings = Object.hasOwn(MEANINGS, member) ? MEANINGS[member] : undefined
  return meanings !== undefined && typeof code === 'string' && Object.hasOwn(meanings, code)
    ? (meanings[code] ?? null)
    : null
}
