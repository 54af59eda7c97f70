// test/recorded/differences.ts — intended changes to recorded exchanges, one entry each.
import { REFUSALS } from '../../src/domain/refusals.ts'
import { ONLINE_TEST_CARDS } from '../../src/simulator/cards/online-test-cards.ts'
import { ABSENT, ANYTHING, type Difference } from './compare.ts'
import { REWORDED, REWORDED_LISTS } from './reworded.ts'

const NOT_ACCEPTABLE =
  'The Accept header names no supported media type. Supported: application/json, application/connect.v2+json, ' +
  'application/connect.v1+json, application/connect.v0+json.'

const CARD_IN_HEADER = 'a card number in a partner header is masked and does not cost the request'
const INSTALLER_MESSAGE = 'The field installer-id is missing or not valid.'
const INSTALLER_INVALID = { userMessage: INSTALLER_MESSAGE, messages: [INSTALLER_MESSAGE] }

const CAPABILITIES = [
  ...['SALE', 'REFUND', 'DUPLICATE', 'CANCEL_TRANSACTION', 'REPORT_END_OF_DAY', 'REPORT_BANKING', 'REPORT_X_BALANCE'],
  ...['REPORT_Z_BALANCE', 'TERMINAL_STATUS'],
]

const NOT_YET = 'The JWT is not valid yet. Check the clock of the server that made it.'

const PROCESSING = { statusCode: 40, authCode: '', message: 'Processing' }

const NOW = ' data-now="1778072607000"'

/** Members of a scenario document, up to the first new one. */
const MEMBERS_BEFORE = [
  ...['name', 'title', 'like', 'person', 'card', 'reading', 'check', 'paceMs'],
  ...['startsWithoutPaper', 'leavesCard'],
]

/** What the list of transactions has of their ends. */
const SPENT = ['totalMinor', 'gratuityMinor', 'cashbackMinor', 'scheme']

/** Next steps after online payments that do not pay an order. */
const AFTER_SUCCESS = ['record_refund', 'record_void', 'collect_or_void', 'read_collection', 'accept_card'] as const

/** An entry that no longer matches a change fails the replay. `npm run record` makes all entries obsolete. */
export const DIFFERENCES: readonly Difference[] = [
  ...REWORDED,
  ...['/', '/docs', '/docs/socket', '/docs/socket/v1', '/docs/cards'].map(page => ({
    exchanges: `* GET ${page}`,
    ...{ path: 'answer.body*', recorded: 'a page without the guides', now: ANYTHING },
    because: 'every page links to the guides; the reference follows the colour scheme; test/browser looks at the pages',
  })),
  ...[
    ['', 'get 200 304 500 503'],
    ['/decisions/{decision}', 'get 200 304 404 500 503'],
    ['/files/{file}', 'get 200 304 404 500 503'],
    ['/{guide}', 'get 200 304 404 500 503'],
  ].map(([path, now = '']) => ({
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: `answer.body.paths./docs/guides${path}`, recorded: ABSENT, now: [now] },
    because: 'the guides are served',
  })),
  ...(
    [
      ['/console/terminal', ABSENT, ['get 200 500 503']],
      ['/sandbox/terminals/{tid}.0', 'get 200 401 404 500 503', 'get 200 401 403 404 500 503'],
      [
        '/sandbox/terminals/{tid}/keys.0',
        'post 200 401 404 409 413 415 422 500 503',
        'post 200 401 403 404 409 413 415 422 500 503',
      ],
      ['/sandbox/terminals/{tid}/links', ABSENT, ['post 201 401 404 409 500 503', 'delete 204 401 404 500 503']],
    ] as const
  ).map(([path, recorded, now]) => ({
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: `answer.body.paths.${path}`, recorded, now },
    because: 'a phone is a terminal by a link',
  })),
  ...(
    [
      ['Invalid crossReference', REFUSALS.cross_reference_unknown.text],
      ['The field {name} is missing or not valid.', 'The field {name} …'],
      ['The header {name} is not valid.', 'The header {name} …'],
      ['Invalid {name}', 'Invalid {name}: it …'],
    ] as const
  ).map(([recorded, now]) => ({
    ...{ exchanges: '*', path: '*', recorded, now },
    because: 'the refusal of a field says what is wrong and what is allowed',
  })),
  {
    exchanges: 'three-d-secure/*',
    path: 'answer.body.detail',
    recorded: 'The scenario cannot be played. next must be a list, not "declined".',
    now: 'The simulator rejected the request. next must be a list of 200 items at most, not "declined".',
    because: 'the same',
  },
  {
    exchanges: 'pages/the demo shop/01 GET /demo',
    path: 'answer.body.181',
    recorded: 'the source of the shop',
    now: ANYTHING,
    because: 'the page shows the source of its server, which is no promise',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./sandbox/scenarios/{name}.1',
    recorded: 'delete 204 401 404 500 503',
    now: 'delete 204 401 404 422 500 503',
    because: 'a scenario that a terminal has yet to play is not deleted',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./three-d-secure/challenge',
    recorded: ABSENT,
    now: ['post 200 400 401 413 500 503'],
    because: 'a page sends the payer on to the issuer that a directory server of a scheme has named',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./terminals/{account}/{tid}/notifications',
    recorded: ABSENT,
    now: ['post 200 401 413 415 422 500 503'],
    because: 'terminals of makes that post what they display do so here',
  },
  ...['/three-d-secure/device-data', '/three-d-secure/device-data/{token}'].map(path => ({
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: `answer.body.paths.${path}`,
    recorded: ABSENT,
    now: ['post 200 400 413 500 503'],
    because: 'pages show the payer’s browser to an issuer that a directory server of a scheme has named',
  })),
  {
    exchanges: 'three-d-secure/a live gateway*GET /payment-form*',
    path: 'answer.headers.content-security-policy',
    recorded: "frame-src 'self' https:; form-action 'self' https:",
    now: "frame-src 'self'; form-action 'self'",
    because: 'the form allows no issuer, and the page of a challenge the one of its payment only',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./api/tables/{tableId}/timeline.0',
    recorded: 'get 200 401 404 500 503',
    now: 'get 200 401 404 422 500 503',
    because: 'the timeline of a table takes `payments` in its query',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./api/payments/{token}/close.0',
    recorded: 'post 200 401 404 409 413 415 422 500 503',
    now: 'post 200 401 403 404 409 413 415 422 500 503',
    because: 'a setting leaves the closing of payments to the command line',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./sandbox/accounts/{account}',
    recorded: ABSENT,
    now: ['delete 204 401 404 409 500 503'],
    because: 'test accounts can be closed',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./api/transactions/{requestId}/close',
    recorded: ABSENT,
    now: ['post 200 401 403 404 409 413 415 422 500 503'],
    because: 'a transaction whose terminal never answers again is closed by hand',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./api/payments/{token}/operations',
    recorded: ABSENT,
    now: ['post 200 400 401 404 409 413 415 422 500 503'],
    because: 'online payments are refunded, collected and voided without a JWT',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: 'answer.body.paths./console', recorded: ABSENT, now: ['get 200 500 503'] },
    because: 'a gateway has a console',
  },
  ...Object.entries({
    '/api/session': [
      'post 200 401 403 413 415 422 429 500 503',
      'get 200 401 403 500 503',
      'delete 204 401 403 500 503',
    ],
    '/api/session/till': ['post 201 401 403 409 500 503'],
    '/api/session/password': ['put 204 401 403 413 415 422 429 500 503'],
    '/api/session/one-time-codes': ['get 200 401 403 500 503', 'put 200 401 403 413 415 422 429 500 503'],
    '/api/session/one-time-codes/removal': ['post 204 401 403 413 415 422 429 500 503'],
    '/api/session/passkeys': ['get 200 401 403 500 503', 'post 201 401 403 409 413 415 422 429 500 503'],
    '/api/session/passkeys/creation': ['get 200 401 403 500 503'],
    '/api/session/passkeys/{passkeyId}': ['delete 204 401 403 404 500 503'],
    '/api/session/passkey': ['get 200 500 503', 'post 200 401 403 413 415 422 500 503'],
    '/api/users/{user}/factors': ['delete 204 401 403 404 500 503'],
    '/api/sessions': ['get 200 401 403 500 503'],
    '/api/sessions/{sessionId}': ['delete 204 401 403 404 500 503'],
    '/api/users': ['get 200 401 403 500 503', 'post 201 401 403 409 413 415 422 500 503'],
    '/api/users/{user}': ['patch 200 401 403 404 409 413 415 422 500 503', 'delete 204 401 403 404 409 500 503'],
    '/api/users/{user}/password': ['put 204 401 403 404 413 415 422 500 503'],
    '/api/audit': ['get 200 401 403 422 500 503'],
    '/api/keys': ['get 200 401 403 500 503', 'post 201 401 403 409 413 415 422 500 503'],
    '/api/keys/{keyId}': ['delete 204 401 403 404 500 503'],
  }).map(([path, now]) => ({
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: `answer.body.paths.${path}`, recorded: ABSENT, now },
    because: 'accounts have users',
  })),
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: 'answer.body.paths./api/requests', recorded: ABSENT, now: ['get 200 401 422 500 503'] },
    because: 'the latest requests of an account can be listed',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./api/account/merchant-hosts',
    recorded: ABSENT,
    now: ['put 200 401 404 413 415 422 500 503'],
    because: 'the hosts of web shops can be set over HTTP',
  },
  ...['/payments/v1/client.js', '/test/payments/v1/client.js'].map(path => ({
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    ...{ path: `answer.body.paths.${path}`, recorded: ABSENT, now: ['get 200 500 503'] },
    because: 'official samples load client.js from these addresses',
  })),
  {
    exchanges: 'pages/the demo shop/*',
    path: '*.reservation',
    recorded: ABSENT,
    now: '',
    because: 'an order knows its reservation, which stands again when its collection is cancelled',
  },
  ...SPENT.map(member => ({
    ...{ exchanges: '*/api/transactions*', path: `answer.body*.${member}`, recorded: ABSENT, now: ANYTHING },
    because: 'a day is added up from the list alone',
  })),
  ...['answer.body.reason', 'answer.body.*.reason'].map(path => ({
    ...{ exchanges: '*/api/payments*', path, recorded: ABSENT, now: ANYTHING },
    because: 'each outcome has one reason',
  })),
  {
    exchanges: 'three-d-secure/issuers on demand/24 POST /three-d-secure/return',
    path: 'answer.body.2',
    recorded: '&quot;authCode&quot;:&quot;&quot;}}',
    now: '&quot;authCode&quot;:&quot;&quot;,&quot;reason&quot;:&quot;revoked&quot;}}',
    because: 'the same',
  },
  {
    exchanges: '*three-ds-complete',
    path: 'answer.body.reason',
    recorded: ABSENT,
    now: ANYTHING,
    because: 'the same',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/01 GET /openapi.json',
    path: 'answer.body.paths./three-ds/tokens/{token}',
    recorded: ABSENT,
    now: ['get 200 500 503'],
    because: 'the page around the bank asks how far its shopper is, to notice a return that failed',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.amountCashback.description',
    recorded: 'Only attempted: the result tells what was given.',
    now: 'Minor units. SALE only. Cashback is attempted; the result has the amount given.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.cardholderNotPresent.description',
    recorded: 'The number is keyed in at the terminal; takes longer than with a card.',
    now: 'Keyed at the terminal without the card, which takes longer. SALE and REFUND only.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  {
    exchanges: 'pages/descriptions of the interfaces/*pac-v1-sale-request.json',
    path: 'answer.body.properties.params.properties.currency.description',
    recorded: '<absent>',
    now: 'Currency of the terminal.',
    because: 'REST and the socket describe the fields of a transaction in the same words',
  },
  ...[
    ['Number', 'Number and name'] as const,
    ...ONLINE_TEST_CARDS.flatMap(({ number, holder }) => {
      const grouped = number.replace(/(\d{4})(?=\d)/g, '$1 ')
      return holder === null ? [] : [[grouped, `${grouped}, ${holder}`] as const]
    }),
  ].map(([recorded, now]) => ({
    ...{ exchanges: 'pages/the demo shop/*', path: 'answer.body.*', recorded, now },
    because: 'the table of test cards shows the name, which decides between two cards with one number',
  })),
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.status',
    recorded: 405,
    now: 404,
    because: 'a name that is too long names nothing; its method was never the fault',
  },
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.body.*',
    recorded: 'This address does not take that method.',
    now: 'No resource exists at this path.',
    because: 'the same',
  },
  {
    exchanges: 'refusals/addresses in other forms/08 *',
    path: 'answer.headers.allow',
    recorded: 'GET, HEAD, OPTIONS',
    now: ABSENT,
    because: 'the same',
  },
  {
    exchanges: '*',
    path: 'answer.headers.allow',
    recorded: 'POST, GET, HEAD, OPTIONS',
    now: 'GET, HEAD, POST, OPTIONS',
    because: 'methods are named in one order, whatever the order of the operations',
  },
  ...(['authorization', ABSENT] as const).map(now => ({
    exchanges: '*',
    path: 'answer.headers.access-control-allow-headers',
    recorded:
      'Authorization, Content-Type, Accept, Software-House-Id, Installer-Id, Idempotency-Key, Prefer, If-None-Match, ' +
      'X-Request-Id, Last-Event-ID, Tollgate-Scenario',
    now,
    because: 'a page may send any header: those it asks for are allowed',
  })),
  ...(
    [
      ['status', 404, 204],
      ['headers.access-control-allow-headers', ABSENT, 'authorization'],
      ['headers.access-control-allow-methods', ABSENT, 'GET, HEAD, POST, PUT, PATCH, DELETE'],
      ['headers.access-control-max-age', ABSENT, '7200'],
      ['headers.content-type', 'application/problem+json; charset=utf-8', ABSENT],
      ['headers.x-request-id', '<id 1>', ABSENT],
      [
        'body',
        {
          ...{ type: 'urn:tollgate:problem:path_unknown', title: 'There is nothing at this address.', status: 404 },
          ...{ detail: 'There is nothing at this address.', code: 'path_unknown', requestId: '<id 1>', retry: false },
        },
        ABSENT,
      ],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: 'pages/* origin*/10 OPTIONS /nothing', path: `answer.${path}`, recorded, now },
    because: 'the preflight of a mistyped address succeeds, so that the page sees the 404',
  })),
  ...[2, 3, 4, 5].map(id => ({
    ...{ exchanges: 'pages/* origin*', path: 'answer.*', recorded: `<id ${id}>`, now: `<id ${id - 1}>` },
    because: 'that preflight has no body with an id in it any more, and ids are numbered',
  })),
  {
    exchanges: '*',
    path: '*',
    recorded: 'The version named in the Accept header does not exist.',
    now: NOT_ACCEPTABLE,
    because: 'a 406 lists what there is',
  },
  {
    exchanges: '*',
    path: '*',
    recorded: 'The version named in api-version does not exist.',
    now: 'The version in api-version is not supported. Supported: v1, v0.',
    because: 'a 406 lists what there is',
  },
  ...(
    [
      ['status', 200, 406],
      ['body.currency', 'GBP', ABSENT],
      ['body.location', 'http://pay.example/pac/terminals/VCMDEMOSIP0', ABSENT],
      ['body.status', 'AVAILABLE', ABSENT],
      ['body.tid', 'VCMDEMOSIP0', ABSENT],
      ['body.tpi', 'VCMDEMOSIP0', ABSENT],
      ['body.capabilities', CAPABILITIES, ABSENT],
      ['body.messages', ABSENT, { error: [NOT_ACCEPTABLE] }],
      ['body.messages', ABSENT, [NOT_ACCEPTABLE]],
      ['body.userMessage', ABSENT, NOT_ACCEPTABLE],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: 'refusals/*/06 GET /pac/terminals/VCMDEMOSIP0', path: `answer.${path}`, recorded, now },
    because: 'an Accept that names nothing there is is 406',
  })),
  {
    exchanges: 'counter/*cancel*/* GET */transactions/*',
    path: 'answer.body.amountTotal',
    recorded: 2599,
    now: 0,
    because: 'the total of a transaction that ended before a card was read is 0',
  },
  {
    exchanges: 'sockets/cancels, v*/* TO till v*',
    path: '*result.amountTotal',
    recorded: 1250,
    now: 0,
    because: 'the same',
  },
  {
    exchanges: 'sandbox/faults/* GET /sandbox/faults',
    path: 'answer.body.faults.2',
    recorded: '26 in all',
    now: '28 in all',
    because: 'a fault answers with 429, and another leaves reversals without an answer',
  },
  {
    exchanges: 'sandbox/scenarios/* GET /sandbox/scenarios',
    path: 'answer.body.scenarios.2',
    recorded: '41 in all',
    now: '42 in all',
    because: 'a scenario makes a VOID fail',
  },
  ...['challenge', 'challenge/answer'].map(page => ({
    exchanges: 'pages/descriptions of the interfaces/*',
    path: `answer.body.paths./acs/${page}.0`,
    recorded: 'post 200 404 413 415 422 500 503',
    now: 'post 200 400 404 413 415 422 500 503',
    because: 'the simulated issuer’s page returns to the gateway only',
  })),
  {
    exchanges: 'management/*/api/payments*',
    path: 'answer.body*verdict.nextStep',
    recorded: 'settle_order',
    now: 'record_refund',
    because: 'a refund does not pay an order',
  },
  ...(
    [
      ['body', 'The outcome is not known yet. Ask for the payment.', PROCESSING],
      ['headers.content-type', 'text/plain', 'application/json'],
      ['status', 500, 200],
    ] as const
  ).map(([part, recorded, now]) => ({
    ...{ exchanges: 'online/a payment that is paused/16 *', path: `answer.${part}`, recorded, now },
    because: 'a resume whose acquirer is silent answers with the state',
  })),
  {
    exchanges: 'three-d-secure/a cancel after the bank has approved/08*',
    path: 'answer.body.state',
    recorded: 'over',
    now: 'unpaid',
    because: 'the page around the bank settles by itself when the payment has ended unpaid',
  },
  ...[
    ['action="http://pay.example/', 'action="/'],
    ['name="TermUrl" value="http://pay.example/three-d-secure/', 'name="TermUrl" value="/three-d-secure/'],
  ].map(([recorded = '', now = '']) => ({
    ...{ exchanges: 'three-d-secure/*', path: 'answer.body.*', recorded, now },
    because: 'the simulated issuer’s page stays on the host name by which the browser has reached it',
  })),
  ...[
    ['"card" data-token="unknown"', ''],
    ['"card" data-token="known" data-usable-ms="1800000"', NOW],
    ['"card" data-token="known" data-usable-ms="0"', NOW],
    ['"recurring" data-token="known"', ''],
    ['"wallet" data-token="known"', ''],
  ].map(([form = '', clock]) => ({
    ...{ exchanges: 'three-d-secure/*GET /payment-form*', path: 'answer.body.*' },
    recorded: `data-form=${form}`,
    now: `data-form=${form.replace('data-token', 'data-base="http://pay.example" data-token')}${clock}`,
    because: 'the form moves addresses of the gateway to its own host name, and has the clock of the gateway',
  })),
  {
    exchanges: 'three-d-secure/*GET /three-ds*',
    path: 'answer.body.4',
    recorded: ABSENT,
    now: '<body data-base="http://pay.example">',
    because: 'an issuer may return the browser to the public host name',
  },
  ...(
    [
      ['jwt', '<jwt>'],
      ['keyId', '<key id 1>'],
      ['merchantHosts', ['shop.example']],
    ] as const
  ).map(([member, now]) => ({
    exchanges: 'sandbox/test accounts/* POST /sandbox/accounts',
    ...{ path: `answer.body.${member}`, recorded: ABSENT, now },
    because: 'a test account opened over HTTP can sell online',
  })),
  ...(
    [
      ['body', 'The JWT has expired.', 'The JWT has expired: its exp is in the past.'],
      ['body', NOT_YET, NOT_YET.replace('yet', 'yet: its iat is in the future')],
      ['body', NOT_YET, NOT_YET.replace('yet', 'yet: its nbf is in the future')],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: 'online/JWTs that are wrong/*', path: `answer.${path}`, recorded, now },
    because: 'the refusal of a JWT names the faulty claim',
  })),
  ...(
    [
      ['gatewayMerchantId', 'demo'],
      ['messageId', '<message id 1>'],
      ['messageExpiration', '1778076207000'],
    ] as const
  ).map(([member, now]) => ({
    exchanges: 'three-d-secure/wallets/*google-pay/decrypt-token',
    ...{ path: `answer.body.${member}`, recorded: ABSENT, now },
    because: 'the published answer has these three fields',
  })),
  {
    exchanges: 'sockets/a socket and REST at one terminal*/* GET /api/transactions',
    path: 'answer.body.transactions.0.rpcId',
    recorded: ABSENT,
    now: 1,
    because: 'a transaction has the id of the JSON-RPC request that started it',
  },
  ...[
    ['counter/a person at the terminal, with a tip*', 'GBP 25.99', 'GBP 28.99'] as const,
    ['tables/a waiter who presses keys*', 'GBP 27.00', 'GBP 30.00'] as const,
  ].map(([exchanges, recorded, now]) => ({
    ...{ exchanges, path: 'answer.body.lines.*', recorded, now },
    because: 'the screen shows the sum with the gratuity',
  })),
  ...(
    [
      ['*MERCHANT.*', ABSENT, { value: 'PIN VERIFIED', type: 'TEXT' }],
      ['*CUSTOMER.*', ABSENT, { value: 'PIN VERIFIED', type: 'TEXT' }],
      ['*MERCHANT', '20 lines', '21 lines'],
      ['*CUSTOMER', '20 lines', '21 lines'],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: '*', path, recorded, now },
    because: 'the slip of a declined payment has its verification',
  })),
  ...stateOfTerminals('answer.body', { line: ['up'], paper: ['in'] }),
  {
    exchanges: 'sandbox/scenarios/08 POST /sandbox/scenarios',
    path: 'answer.body.detail',
    recorded:
      'The scenario cannot be played. colour is not known; there may be name, title, like, person, card, reading, check, ' +
      'paceMs, startsWithoutPaper, leavesCard, acquirer, faults, plans.',
    now:
      'The simulator rejected the request. colour is unknown; allowed are name, title, like, person, card, reading, check, ' +
      'paceMs, startsWithoutPaper, leavesCard, gratuityMinor, acquirer, faults, plans, uncaptured.',
    because: 'a recording repeats gratuities, and says what it could not capture',
  },
  {
    exchanges: 'sandbox/scenarios/21 GET /sandbox/schemas/scenario.json',
    path: 'answer.body.properties',
    recorded: [...MEMBERS_BEFORE, 'acquirer', 'faults', 'plans'],
    now: [...MEMBERS_BEFORE, 'gratuityMinor', 'acquirer', 'faults', 'plans', 'uncaptured'],
    because: 'a recording repeats gratuities, and says what it could not capture',
  },
  ...(
    [
      ['status', 422, 200],
      ['body.currency', ABSENT, 'GBP'],
      ['body.location', ABSENT, 'http://pay.example/pac/terminals/VCMDEMOSIP0'],
      ['body.status', ABSENT, 'AVAILABLE'],
      ['body.tid', ABSENT, 'VCMDEMOSIP0'],
      ['body.messages', ['The header Installer-Id is not valid.'], ABSENT],
      ['body.userMessage', 'The header Installer-Id is not valid.', ABSENT],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: 'refusals/*/09 GET /pac/terminals/VCMDEMOSIP0', path: `answer.${path}`, recorded, now },
    because: CARD_IN_HEADER,
  })),
  ...(
    [
      ['status', 422, 101],
      ['headers.content-type', 'application/connect.v2+json', ABSENT],
      ['headers.upgrade', ABSENT, 'websocket'],
      ['body', INSTALLER_INVALID, ABSENT],
    ] as const
  ).map(([path, recorded, now]) => ({
    ...{ exchanges: 'handshakes/*installer-id=4111111111111111', path: `answer.${path}`, recorded, now },
    because: CARD_IN_HEADER,
  })),
]

/** The same for what version 0.1 left unfinished and this one has ended. */
export const TAKE_OVER_DIFFERENCES: readonly Difference[] = [
  ...REWORDED,
  ...REWORDED_LISTS,
  ...[5005, 5006, 5008, 2222].map(recorded => ({
    ...{ exchanges: '*/transactions*', path: '*amountTotal', recorded, now: 0 },
    because: 'the total of a transaction that ended before a card was read is 0',
  })),
  {
    exchanges: '*',
    path: '*endedWithoutCard',
    recorded: ABSENT,
    now: true,
    because: 'the record says why its total is 0',
  },
  {
    exchanges: '*',
    path: '*.data.withoutCard',
    recorded: ABSENT,
    now: true,
    because: 'the event says why the total is 0',
  },
  ...(
    [
      ['moneyTaken', 'yes', 'no'],
      ['safeToRetry', false, true],
      ['nextStep', 'settle_order', 'treat_as_unpaid'],
    ] as const
  ).map(([member, recorded, now]) => ({
    ...{ exchanges: '*: GET /api/payments*', path: `*verdict.${member}`, recorded, now },
    because: 'a payment of 0.1 that was voided or refunded whole is unpaid as well',
  })),
  {
    exchanges: 'demo: GET /api/transactions/*/timeline',
    path: 'body.entries.*',
    recorded: ABSENT,
    now: ANYTHING,
    because: 'a terminal whose transaction was given up is told that its authorisation is too late',
  },
  {
    exchanges: '*: GET /sandbox/scenarios',
    path: 'body.scenarios.7',
    recorded: ABSENT,
    now: ANYTHING,
    because: 'a scenario makes a VOID fail',
  },
  ...AFTER_SUCCESS.map(now => ({
    ...{ exchanges: '*: GET /api/payments*', path: '*verdict.nextStep', recorded: 'settle_order', now },
    because: 'a refund, a void, a hold and a check of a card do not pay an order',
  })),
  ...['record_refund', 'complete_pre_authorisation', 'accept_card'].map(now => ({
    ...{ exchanges: '*/api/transactions*', path: '*verdict.nextStep', recorded: 'settle_bill', now },
    because: 'there is no bill to close after a refund, a pre-authorisation and a check of a card',
  })),
  {
    exchanges: '*: GET /sandbox/transactions/*/scenario',
    path: 'body.*',
    recorded: 'the export of 0.1',
    now: ANYTHING,
    because: 'an export repeats more, and says what it could not capture; test/api/replay.test.ts compares replays',
  },
  ...stateOfTerminals('body', { line: ['up', 'down'], paper: ['in', 'out', 'unknown'] }),
  ...SPENT.map(member => ({
    ...{ exchanges: '*: GET /api/transactions*', path: `body*.${member}`, recorded: ABSENT, now: ANYTHING },
    because: 'a day is added up from the list alone',
  })),
  {
    ...{ exchanges: '*: * /api/payments*', path: 'body*.reason', recorded: ABSENT, now: ANYTHING },
    because: 'each outcome has one reason',
  },
]

/** The two members of `GET /api/terminals` that are new, with the values that occur. */
function stateOfTerminals(body: string, members: Readonly<Record<string, readonly string[]>>): Difference[] {
  return Object.entries(members).flatMap(([member, values]) =>
    values.map(now => ({
      ...{ exchanges: '* GET /api/terminals', path: `${body}.terminals.*.${member}`, recorded: ABSENT, now },
      because: 'a till sees line and paper before a sale',
    })),
  )
}
