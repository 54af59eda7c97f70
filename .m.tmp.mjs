// src/api/allowance.ts
var HOUR_MS = 60 * 60 * 1e3;
function createAllowance(perHour, clock2) {
  let taken2 = 0;
  let until = 0;
  return {
    take() {
      if (clock2.now() >= until) {
        taken2 = 0;
        until = clock2.now() + HOUR_MS;
      }
      if (taken2 >= perHour) return false;
      taken2 += 1;
      return true;
    }
  };
}

// src/api/auth.ts
import { timingSafeEqual } from "node:crypto";

// src/domain/machine.ts
function accepts(table, state, type) {
  return table[state][type] !== void 0;
}
function next(table, state, type) {
  const to = table[state][type];
  if (to === void 0) throw new Error(`illegal move: ${type} in state ${state}`);
  return to;
}

// src/domain/api-key.ts
var KEY_STATUS = {
  active: { revoked: "revoked" },
  revoked: {}
};
function decide(record, command) {
  switch (command.type) {
    case "create":
      if (record !== null) return { refused: { code: "already_exists", field: command.id } };
      return { events: [{ ...command, type: "created" }] };
    case "revoke":
      if (record === null) return { refused: { code: "key_unknown" } };
      return { events: accepts(KEY_STATUS, record.status, "revoked") ? [{ type: "revoked" }] : [] };
  }
}
function apply(record, happening) {
  const { event, at } = happening;
  if (event.type === "created") {
    const { id, merchantAccount, hash, label } = event;
    return { id, merchantAccount, hash, label, status: "active", version: 1, createdAt: at };
  }
  if (record === null) throw new Error(`${event.type} before created`);
  return { ...record, status: next(KEY_STATUS, record.status, event.type), version: record.version + 1 };
}

// src/domain/merchant-account.ts
var ACCOUNT_STATUS = {
  enabled: { revoked: "revoked" },
  revoked: {}
};
function decide2(record, command) {
  switch (command.type) {
    case "create":
      if (record !== null) return { refused: { code: "already_exists", field: command.id } };
      return { events: [{ type: "created", id: command.id, profile: command.profile }] };
    case "revoke":
      if (record === null) return { refused: { code: "account_unknown" } };
      return { events: accepts(ACCOUNT_STATUS, record.status, "revoked") ? [{ type: "revoked" }] : [] };
  }
}
function apply2(record, happening) {
  const { event, at } = happening;
  if (event.type === "created") return { ...event.profile, id: event.id, status: "enabled", version: 1, createdAt: at };
  if (record === null) throw new Error(`${event.type} before created`);
  return { ...record, status: next(ACCOUNT_STATUS, record.status, event.type), version: record.version + 1 };
}

// src/domain/report.ts
var REPORT_PROGRESS = {
  requested: { started: "running", totals_read: "finished", timed_out: "finished" },
  running: { totals_read: "finished", timed_out: "finished" },
  finished: {}
};
function decide3(record, command, facts) {
  if (command.type === "request") {
    const { tid } = command;
    if (facts === null || !facts.available) return { refused: { code: "terminal_unavailable", tid } };
    if (facts.busy) return { refused: { code: "terminal_busy", tid } };
    return { events: [{ ...command, type: "requested", limitMs: facts.limitMs }] };
  }
  if (record === null) return { refused: { code: "report_unknown" } };
  switch (command.type) {
    case "time_is_up":
    case "terminal_forgot":
      return { events: record.progress === "finished" ? [] : [{ type: "timed_out" }] };
    case "terminal_reports":
      return { events: command.sequence <= record.lastReport ? [] : taken(record, command.reports) };
  }
}
function taken(record, reports) {
  const events = [];
  let progress = record.progress;
  for (const report of reports) {
    if (!accepts(REPORT_PROGRESS, progress, report.type)) continue;
    progress = next(REPORT_PROGRESS, progress, report.type);
    events.push(report);
  }
  return events;
}
function apply3(before, { event, at, report }) {
  if (event.type === "requested") {
    const { type: _, ...given } = event;
    return {
      ...given,
      progress: "requested",
      version: 1,
      startedAt: at,
      finishedAt: null,
      lastReport: 0,
      result: null,
      totals: null,
      lines: []
    };
  }
  if (before === null) throw new Error(`${event.type} before requested`);
  const record = {
    ...before,
    version: before.version + 1,
    lastReport: Math.max(before.lastReport, report),
    progress: next(REPORT_PROGRESS, before.progress, event.type)
  };
  switch (event.type) {
    case "started":
      return record;
    case "totals_read":
      return { ...record, finishedAt: at, result: "COMPLETE", totals: event.totals, lines: event.lines };
    case "timed_out":
      return { ...record, finishedAt: at, result: "TIMED_OUT" };
  }
}
function effectsOf(event, record) {
  if (event.type !== "requested") return [];
  const payload = { type: "terminal.run_report" };
  return [{ id: `${record.requestId}.${record.version}.${payload.type}`, type: payload.type, payload }];
}
function timersOf(record) {
  return record.progress === "finished" ? [] : [{ name: "limit", dueAt: record.startedAt + record.limitMs }];
}

// src/domain/terminal.ts
var TERMINAL_STATUS = {
  installed: { configured: "installed", removed: "removed" },
  removed: { added: "installed" }
};
function decide4(record, command) {
  if (command.type === "add")
    return record === null || accepts(TERMINAL_STATUS, record.status, "added") ? { events: [{ ...command, type: "added" }] } : { refused: { code: "already_exists", field: command.tid } };
  if (record === null || record.status === "removed")
    return { refused: { code: "terminal_unavailable", tid: record?.tid ?? "" } };
  return command.type === "remove" ? { events: [{ type: "removed" }] } : { events: [{ type: "configured", settings: { ...record.settings, ...command.changes } }] };
}
function apply4(record, happening) {
  const { event, at } = happening;
  if (event.type === "added") {
    const { tid, merchantAccount, driver, settings } = event;
    const status = record === null ? "installed" : next(TERMINAL_STATUS, record.status, event.type);
    const version = (record?.version ?? 0) + 1;
    return { tid, merchantAccount, driver, settings, status, version, createdAt: record?.createdAt ?? at };
  }
  if (record === null) throw new Error(`${event.type} before added`);
  return {
    ...record,
    settings: event.type === "configured" ? event.settings : record.settings,
    status: next(TERMINAL_STATUS, record.status, event.type),
    version: record.version + 1
  };
}

// src/domain/card.ts
var NO_CARD = {
  paymentMethod: "UNKNOWN",
  cardholderVerificationMethod: "UNKNOWN",
  primaryAccountNumber: "",
  primaryAccountNumberSequence: "",
  applicationId: "",
  applicationLabel: "",
  cardSchemeName: "",
  dateOfExpiry: "",
  dateOfStart: ""
};
function maskOf(cardNumber) {
  return `************${cardNumber.slice(-4)}`;
}

// src/domain/money.ts
var TERMINAL_CURRENCIES = ["GBP", "EUR"];
var NO_AMOUNTS = { baseMinor: 0, cashbackMinor: 0, gratuityMinor: 0 };
function totalOf(amounts) {
  return amounts.baseMinor + amounts.cashbackMinor + amounts.gratuityMinor;
}
function decimalOf(amountMinor) {
  const sign = amountMinor < 0 ? "-" : "";
  const digits = String(Math.abs(amountMinor)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

// src/domain/notifications.ts
var PASSING = /* @__PURE__ */ new Set([
  "ATTEMPTING_CANCEL",
  "CANCELLING",
  "UNABLE_TO_CANCEL",
  "UNABLE_TO_CANCEL_TRANSACTION",
  "CANCELLED_TRANSACTION",
  "REPLACE_PAPER"
]);
function notificationsOf(event, sofar) {
  switch (event.type) {
    case "started":
      return event.paperOut ? ["REPLACE_PAPER", "TRANSACTION_STARTED"] : ["TRANSACTION_STARTED"];
    case "prompted":
      return [event.prompt];
    case "paper_ran_out":
      return ["REPLACE_PAPER"];
    case "card_read":
      return ["PLEASE_WAIT"];
    case "pin_requested":
      return ["PIN_ENTRY"];
    case "linking":
      return [event.stage];
    case "signature_requested":
      return ["SIGNATURE_VERIFICATION"];
    case "signature_decided":
      return ["SIGNATURE_VERIFICATION_IN_PROGRESS"];
    case "signature_timed_out":
      return ["SIGNATURE_VERIFICATION_TIMEOUT"];
    case "signature_applied":
      return ["SIGNATURE_VERIFICATION_PROCESS_COMPLETED"];
    case "signature_not_applied":
      return ["SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED"];
    case "outcome_shown":
      return [event.outcome];
    case "card_removal_prompted":
      return ["REMOVE_CARD"];
    case "cancel_requested":
      return ["ATTEMPTING_CANCEL"];
    case "cancel_accepted":
      return ["CANCELLING"];
    case "cancel_refused": {
      const inForce = sofar.findLast((notification) => !PASSING.has(notification));
      return event.atEnd || inForce === void 0 ? ["UNABLE_TO_CANCEL", "UNABLE_TO_CANCEL_TRANSACTION"] : ["UNABLE_TO_CANCEL", "UNABLE_TO_CANCEL_TRANSACTION", inForce];
    }
    case "cancel_done":
      return ["CANCELLED_TRANSACTION"];
    case "ended":
    case "timed_out":
      return ["TRANSACTION_FINISHED"];
    case "authorisation_requested":
    case "authorisation_approved":
    case "authorisation_declined":
    case "authorisation_unanswered":
    case "authorisation_confirmed":
    case "reversal_requested":
    case "reversed":
      return [];
  }
}

// src/domain/receipt.ts
var NO_RECEIPTS = { MERCHANT: [], CUSTOMER: [] };
var RECEIPT_COLUMNS = 24;

// src/domain/terminal-transaction.ts
var PROGRESS = {
  accepted: {
    prompted: "awaiting_card",
    card_read: "card_in_use",
    pin_requested: "card_in_use",
    linking: "online",
    signature_requested: "awaiting_signature",
    outcome_shown: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  awaiting_card: {
    prompted: "awaiting_card",
    card_read: "card_in_use",
    pin_requested: "card_in_use",
    linking: "online",
    signature_requested: "awaiting_signature",
    outcome_shown: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  card_in_use: {
    card_read: "card_in_use",
    pin_requested: "card_in_use",
    card_removal_prompted: "card_in_use",
    linking: "online",
    signature_requested: "awaiting_signature",
    outcome_shown: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  online: {
    linking: "online",
    signature_requested: "awaiting_signature",
    outcome_shown: "finishing",
    card_removal_prompted: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  awaiting_signature: {
    signature_decided: "applying_decision",
    signature_timed_out: "applying_decision",
    ended: "finished",
    timed_out: "finished"
  },
  applying_decision: {
    signature_applied: "applying_decision",
    signature_not_applied: "applying_decision",
    linking: "applying_decision",
    outcome_shown: "finishing",
    card_removal_prompted: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  finishing: {
    card_removal_prompted: "finishing",
    ended: "finished",
    timed_out: "finished"
  },
  finished: {}
};
var CANCEL = {
  none: { cancel_requested: "requested" },
  requested: { cancel_accepted: "stopping", cancel_refused: "refused", cancel_done: "done" },
  stopping: { cancel_refused: "refused", cancel_done: "done" },
  refused: { cancel_requested: "requested" },
  done: {}
};
var AUTHORISATION = {
  none: { authorisation_requested: "requested" },
  requested: {
    authorisation_approved: "approved",
    authorisation_declined: "declined",
    authorisation_unanswered: "unknown",
    reversal_requested: "reversing"
  },
  unknown: {
    authorisation_approved: "approved",
    authorisation_declined: "declined",
    reversal_requested: "reversing"
  },
  approved: { authorisation_confirmed: "confirmed", reversal_requested: "reversing" },
  declined: {},
  confirmed: {},
  reversing: { reversed: "reversed" },
  reversed: {}
};
function apply5(before, happening) {
  const { event, at } = happening;
  if (event.type === "started") return started(event, at);
  if (before === null) throw new Error(`${event.type} before the start`);
  const record = {
    ...before,
    version: before.version + 1,
    lastReport: Math.max(before.lastReport, happening.report),
    notifications: [...before.notifications, ...notificationsOf(event, before.notifications)]
  };
  switch (event.type) {
    case "card_read":
      return { ...record, progress: next(PROGRESS, record.progress, event.type), card: event.card };
    case "pin_requested":
      return {
        ...record,
        progress: next(PROGRESS, record.progress, event.type),
        card: { ...record.card, cardholderVerificationMethod: "PIN" }
      };
    case "prompted":
    case "linking":
    case "signature_applied":
    case "signature_not_applied":
    case "outcome_shown":
    case "card_removal_prompted":
      return { ...record, progress: next(PROGRESS, record.progress, event.type) };
    case "paper_ran_out":
      return record;
    case "signature_requested":
      return {
        ...record,
        progress: next(PROGRESS, record.progress, event.type),
        signature: { askedAt: at, answeredAt: null },
        card: event.card,
        authCode: event.authCode,
        receipts: event.receipts
      };
    case "signature_decided":
    case "signature_timed_out":
      return {
        ...record,
        progress: next(PROGRESS, record.progress, event.type),
        signature: record.signature === null ? null : { ...record.signature, answeredAt: at },
        messages: event.type === "signature_timed_out" ? [...record.messages, "signature_timed_out"] : record.messages
      };
    case "cancel_requested":
    case "cancel_accepted":
    case "cancel_refused":
    case "cancel_done":
      return { ...record, cancel: next(CANCEL, record.cancel, event.type) };
    case "authorisation_requested":
      return {
        ...record,
        authorisation: next(AUTHORISATION, record.authorisation, event.type),
        authorisationId: effectIdOf(record.requestId, record.version, "acquirer.authorise"),
        amounts: event.amounts,
        card: event.card
      };
    case "authorisation_approved":
      return {
        ...record,
        authorisation: next(AUTHORISATION, record.authorisation, event.type),
        // What the till was told at the end never changes, so a late approval does not touch it.
        authCode: record.progress === "finished" ? record.authCode : event.authCode,
        acquirerReference: event.reference
      };
    case "authorisation_declined":
      return {
        ...record,
        authorisation: next(AUTHORISATION, record.authorisation, event.type),
        declineReason: event.reason
      };
    case "authorisation_unanswered":
    case "authorisation_confirmed":
    case "reversal_requested":
    case "reversed":
      return { ...record, authorisation: next(AUTHORISATION, record.authorisation, event.type) };
    case "ended":
      return {
        ...record,
        progress: next(PROGRESS, record.progress, event.type),
        finishedAt: at,
        result: event.ending.result,
        // What was authorised is what moved, whatever the terminal prints.
        amounts: record.authorisationId === null ? event.ending.amounts : record.amounts,
        card: event.ending.card,
        authCode: event.ending.authCode,
        transactionId: event.ending.transactionId,
        transactionNumber: event.ending.transactionNumber,
        receipts: event.ending.receipts,
        messages: [...record.messages, ...event.ending.messages],
        repeated: event.ending.repeated
      };
    case "timed_out":
      return {
        ...record,
        progress: next(PROGRESS, record.progress, event.type),
        finishedAt: at,
        result: "TIMED_OUT",
        amounts: { ...NO_AMOUNTS, baseMinor: record.request.amountMinor },
        receipts: NO_RECEIPTS,
        messages: [...record.messages, "timed_out"]
      };
  }
}
function effectIdOf(recordId, version, type) {
  return `${recordId}.${version}.${type}`;
}
function started(event, at) {
  return {
    requestId: event.requestId,
    merchantAccount: event.merchantAccount,
    tid: event.tid,
    request: event.request,
    partner: event.partner,
    limits: event.limits,
    authorisedBy: event.authorisedBy,
    progress: "accepted",
    cancel: "none",
    authorisation: "none",
    version: 1,
    startedAt: at,
    finishedAt: null,
    notifications: notificationsOf(event, []),
    lastReport: 0,
    signature: null,
    authorisationId: null,
    acquirerReference: "",
    declineReason: null,
    card: NO_CARD,
    amounts: { ...NO_AMOUNTS, baseMinor: event.request.amountMinor },
    authCode: "",
    transactionId: "",
    transactionNumber: "",
    receipts: NO_RECEIPTS,
    result: null,
    messages: [],
    repeated: null
  };
}

// src/domain/terminal-transaction-decisions.ts
var NOTHING = { events: [] };
function decide5(record, command, facts) {
  if (command.type === "start") return decideStart(record, command, facts);
  if (record === null) return { refused: { code: "transaction_unknown" } };
  switch (command.type) {
    case "cancel":
      return decideCancel(record);
    case "decide_signature":
      return record.progress === "awaiting_signature" ? { events: signatureAnswer(record, command.accepted) } : NOTHING;
    case "time_is_up":
      return decideTime(record, command.timer);
    case "terminal_reports":
      if (command.sequence <= record.lastReport) return NOTHING;
      return { events: takeAll(record, command.reports, takeTerminalReport) };
    case "acquirer_reports":
      return { events: takeAll(record, command.reports, takeAcquirerReport) };
    case "terminal_forgot":
      return record.progress === "finished" ? NOTHING : { events: timedOut(record) };
  }
}
function decideStart(record, command, facts) {
  const { tid } = command;
  if (facts === null || facts.terminal === null) return { refused: { code: "terminal_unavailable", tid } };
  if (facts.live !== null)
    return facts.live.awaitsSignature ? { refused: { code: "signature_pending", tid, requestId: facts.live.requestId } } : { refused: { code: "terminal_busy", tid } };
  if (record !== null) throw new Error("a request id was given twice");
  return {
    events: [
      {
        type: "started",
        requestId: command.requestId,
        merchantAccount: command.merchantAccount,
        tid,
        request: command.request,
        partner: command.partner,
        limits: facts.limits,
        authorisedBy: facts.terminal.authorisedBy,
        paperOut: facts.terminal.paperOut
      }
    ]
  };
}
function decideCancel(record) {
  if (record.progress === "finished" || !accepts(CANCEL, record.cancel, "cancel_requested")) return NOTHING;
  const inTime = record.progress === "accepted" || record.progress === "awaiting_card";
  return inTime ? { events: [{ type: "cancel_requested" }] } : { events: [{ type: "cancel_requested" }, { type: "cancel_refused", atEnd: false }] };
}
function decideTime(record, timer) {
  switch (timer) {
    case "signature":
      return record.progress === "awaiting_signature" ? { events: [{ type: "signature_timed_out" }] } : NOTHING;
    case "limit":
      return record.progress === "finished" || record.progress === "awaiting_signature" ? NOTHING : { events: timedOut(record) };
  }
}
function signatureAnswer(record, accepted) {
  const decided = { type: "signature_decided", accepted };
  return !accepted && accepts(AUTHORISATION, record.authorisation, "reversal_requested") ? [decided, { type: "reversal_requested", why: "signature_refused" }] : [decided];
}
function timedOut(record) {
  const events = cancelPending(record) ? [{ type: "cancel_refused", atEnd: true }] : [];
  events.push({ type: "timed_out" });
  if (record.authorisation === "requested" || record.authorisation === "unknown")
    events.push({ type: "reversal_requested", why: "not_delivered" });
  return events;
}
function cancelPending(record) {
  return record.cancel === "requested" || record.cancel === "stopping";
}
function takeAll(record, reports, take) {
  const events = [];
  let now = record;
  for (const report of reports) {
    for (const event of take(now, report)) {
      events.push(event);
      now = foreseen(now, event);
    }
  }
  return events;
}
function foreseen(record, event) {
  return {
    ...record,
    progress: PROGRESS[record.progress][event.type] ?? record.progress,
    cancel: CANCEL[record.cancel][event.type] ?? record.cancel,
    authorisation: AUTHORISATION[record.authorisation][event.type] ?? record.authorisation
  };
}
function takeTerminalReport(record, report) {
  if (record.progress === "finished") return [];
  switch (report.type) {
    case "paper_ran_out":
      return [report];
    case "cancel_accepted":
    case "cancel_refused":
      return accepts(CANCEL, record.cancel, report.type) ? [report] : [];
    case "authorisation_requested":
      return record.cancel !== "stopping" && accepts(AUTHORISATION, record.authorisation, report.type) ? [report] : [];
    case "signature_requested":
      return moneyStands(record) && accepts(PROGRESS, record.progress, report.type) ? [report] : [];
    case "outcome_shown":
      if (report.outcome === "APPROVED" && !moneyStands(record)) return [];
      return accepts(PROGRESS, record.progress, report.type) ? [report] : [];
    case "ended":
      return ending(record, report);
    case "prompted":
    case "card_read":
    case "pin_requested":
    case "linking":
    case "signature_applied":
    case "signature_not_applied":
    case "card_removal_prompted":
      return accepts(PROGRESS, record.progress, report.type) ? [report] : [];
  }
}
function moneyStands(record) {
  return record.authorisation === "approved" || record.authorisedBy === "terminal";
}
function ending(record, report) {
  const events = [];
  const { ending: ending2 } = report;
  if (cancelPending(record))
    events.push(ending2.result === "CANCELLED" ? { type: "cancel_done" } : { type: "cancel_refused", atEnd: true });
  const succeeded = ending2.result === "SUCCESSFUL";
  const believed = !succeeded || moneyStands(record) || record.request.transactionType === "DUPLICATE";
  events.push(believed ? report : { type: "ended", ending: { ...ending2, result: "UNSUCCESSFUL" } });
  if (succeeded && believed) {
    if (accepts(AUTHORISATION, record.authorisation, "authorisation_confirmed"))
      events.push({ type: "authorisation_confirmed" });
  } else if (accepts(AUTHORISATION, record.authorisation, "reversal_requested")) {
    events.push({ type: "reversal_requested", why: ending2.result === "VOID" ? "voided" : "not_delivered" });
  }
  return events;
}
function takeAcquirerReport(record, report) {
  if (!accepts(AUTHORISATION, record.authorisation, report.type)) return [];
  if (report.type === "authorisation_confirmed" && record.result !== "TIMED_OUT") return [];
  return [report];
}
function effectsOf2(event, record) {
  const effect = (payload) => ({
    id: effectIdOf(record.requestId, record.version, payload.type),
    type: payload.type,
    payload
  });
  switch (event.type) {
    case "started":
      return [effect({ type: "terminal.start" })];
    case "cancel_requested":
      return record.progress === "accepted" || record.progress === "awaiting_card" ? [effect({ type: "terminal.cancel" })] : [];
    case "signature_decided":
      return [effect({ type: "terminal.answer_signature", accepted: event.accepted, timedOut: false })];
    case "signature_timed_out":
      return [effect({ type: "terminal.answer_signature", accepted: true, timedOut: true })];
    case "authorisation_requested":
      return [effect({ type: "acquirer.authorise", cardToken: event.cardToken, amountMinor: totalOf(event.amounts) })];
    case "authorisation_approved":
    case "authorisation_declined":
      return record.progress === "finished" ? [] : [effect({ type: "terminal.answer_authorisation" })];
    case "reversal_requested":
      return [effect({ type: "acquirer.reverse" })];
    case "timed_out":
      return record.authorisation === "approved" ? [effect({ type: "transaction.reconcile" })] : [];
    case "prompted":
    case "paper_ran_out":
    case "card_read":
    case "pin_requested":
    case "linking":
    case "signature_requested":
    case "signature_applied":
    case "signature_not_applied":
    case "outcome_shown":
    case "card_removal_prompted":
    case "cancel_accepted":
    case "cancel_refused":
    case "cancel_done":
    case "ended":
    case "authorisation_unanswered":
    case "authorisation_confirmed":
    case "reversed":
      return [];
  }
}
function timersOf2(record) {
  if (record.progress === "finished") return [];
  const { signature, limits } = record;
  if (record.progress === "awaiting_signature" && signature !== null)
    return [{ name: "signature", dueAt: signature.askedAt + limits.signatureMs }];
  const waitedMs = signature === null || signature.answeredAt === null ? 0 : signature.answeredAt - signature.askedAt;
  return [{ name: "limit", dueAt: record.startedAt + limits.transactionMs + waitedMs }];
}
function stillWanted(type, record) {
  switch (type) {
    case "terminal.start":
    case "terminal.cancel":
    case "terminal.answer_signature":
    case "terminal.answer_authorisation":
      return record.progress !== "finished";
    case "acquirer.authorise":
      return record.authorisation === "requested" || record.authorisation === "unknown";
    case "acquirer.reverse":
      return record.authorisation === "reversing";
    case "transaction.reconcile":
      return record.authorisation === "approved";
  }
}

// src/engine/machines.ts
var NO_EFFECTS = () => [];
var NO_TIMERS = () => [];
var SHARED_BELIEVED_MS = 1e3;
var TERMINAL_TRANSACTION = {
  kind: "terminal-transaction",
  believedMs: Number.POSITIVE_INFINITY,
  decide: decide5,
  apply: apply5,
  effectsOf: effectsOf2,
  timersOf: timersOf2,
  placeOf: (record) => ({
    parent: record.tid,
    live: record.progress !== "finished",
    exclusive: terminalClaim(record.merchantAccount, record.tid)
  })
};
var REPORT = {
  kind: "report",
  believedMs: Number.POSITIVE_INFINITY,
  decide: decide3,
  apply: apply3,
  effectsOf,
  timersOf,
  placeOf: (record) => ({
    parent: record.tid,
    live: record.progress !== "finished",
    exclusive: terminalClaim(record.merchantAccount, record.tid)
  })
};
function terminalClaim(account, tid) {
  return `terminal:${account}/${tid}`;
}
var MERCHANT_ACCOUNT = {
  kind: "merchant-account",
  believedMs: SHARED_BELIEVED_MS,
  decide: decide2,
  apply: apply2,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  placeOf: (record) => ({ parent: "", live: record.status === "enabled", exclusive: null })
};
var API_KEY = {
  kind: "api-key",
  believedMs: SHARED_BELIEVED_MS,
  decide,
  apply,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  placeOf: (record) => ({ parent: "", live: record.status === "active", exclusive: keyClaim(record.hash) })
};
function keyClaim(hash) {
  return `api-key:${hash}`;
}
var TERMINAL = {
  kind: "terminal",
  believedMs: SHARED_BELIEVED_MS,
  decide: decide4,
  apply: apply4,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  placeOf: (record) => ({ parent: "", live: record.status === "installed", exclusive: null })
};

// src/engine/provisioning.ts
import { createHash } from "node:crypto";
var KEY_BYTES = 24;
function freshSettings(currency) {
  return {
    currency,
    gratuity: false,
    cashbackAllowed: true,
    printing: true,
    contactlessCustomerCopy: false,
    paceMs: null
  };
}
function hashOfKey(secret) {
  return createHash("sha256").update(secret).digest("hex");
}
function createProvisioning({
  engine,
  store,
  random: random2
}) {
  async function makeKey(account, label, secret) {
    const hash = hashOfKey(secret);
    const id = random2.uuid();
    const made = madeOf(
      await engine.execute(API_KEY, { account, id }, { type: "create", id, merchantAccount: account, hash, label })
    );
    return "refused" in made ? made : { record: made.record, secret };
  }
  const freshSecret = () => `tg_${Buffer.from(random2.bytes(KEY_BYTES)).toString("base64url")}`;
  const addTerminal = async (account, tid, driver, settings) => madeOf(
    await engine.execute(
      TERMINAL,
      { account, id: tid },
      { type: "add", tid, merchantAccount: account, driver, settings }
    )
  );
  return {
    async openAccount(order) {
      const { id, profile } = order;
      if (await engine.read(MERCHANT_ACCOUNT, { account: id, id }) !== null)
        return { refused: { code: "already_exists", field: id } };
      for (const tid of order.terminals) await addTerminal(id, tid, order.driver, freshSettings(profile.currency));
      const secret = order.secret ?? freshSecret();
      if (await store.holderOf(keyClaim(hashOfKey(secret))) === null) await makeKey(id, order.keyLabel, secret);
      const made = madeOf(await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: "create", id, profile }));
      return "refused" in made ? made : { record: made.record, secret };
    },
    async createKey(account, label) {
      const owner = await engine.read(MERCHANT_ACCOUNT, { account, id: account });
      return owner === null ? { refused: { code: "account_unknown" } } : makeKey(account, label, freshSecret());
    },
    addTerminal,
    revokeAccount: async (id) => madeOf(await engine.execute(MERCHANT_ACCOUNT, { account: id, id }, { type: "revoke" })),
    revokeKey: async (account, id) => madeOf(await engine.execute(API_KEY, { account, id }, { type: "revoke" })),
    configureTerminal: async (account, tid, changes) => madeOf(await engine.execute(TERMINAL, { account, id: tid }, { type: "configure", changes })),
    removeTerminal: async (account, tid) => madeOf(await engine.execute(TERMINAL, { account, id: tid }, { type: "remove" }))
  };
}
function madeOf(executed) {
  if ("refused" in executed) return executed;
  if ("repeated" in executed) throw new Error("provisioning bears no idempotency key");
  return { record: executed.record };
}

// src/api/auth.ts
var BELIEVED_MS = 1e3;
var KEYS_KEPT = 2e4;
var LONGEST_HEADER = 2048;
var MISSING = { refused: { code: "credentials_missing" } };
var REFUSED = { refused: { code: "credentials_refused" } };
function createAuthenticator({ store, clock: clock2 }) {
  const remembered2 = /* @__PURE__ */ new Map();
  const asking = /* @__PURE__ */ new Map();
  async function ask2(hash) {
    const account = await accountOf(store, hash);
    remembered2.delete(hash);
    if (account === null) return REFUSED;
    if (remembered2.size >= KEYS_KEPT) {
      const oldest = remembered2.keys().next();
      if (!oldest.done) remembered2.delete(oldest.value);
    }
    remembered2.set(hash, { account, until: clock2.now() + BELIEVED_MS });
    return account;
  }
  return {
    identify(header2) {
      if (header2 === void 0 || header2.trim() === "") return MISSING;
      const key = keyIn(header2);
      if (key === null) return REFUSED;
      const hash = hashOfKey(key);
      const found = remembered2.get(hash);
      if (found !== void 0 && clock2.now() < found.until) return found.account;
      const asked2 = asking.get(hash) ?? ask2(hash).finally(() => asking.delete(hash));
      asking.set(hash, asked2);
      return asked2;
    }
  };
}
function keyIn(header2) {
  if (header2.length > LONGEST_HEADER) return null;
  const [, base64] = /^basic[ \t]+([a-z0-9+/_-]+=*)[ \t]*$/i.exec(header2) ?? [];
  if (base64 === void 0) return null;
  const pair = Buffer.from(base64, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  const key = colon === -1 ? "" : pair.slice(colon + 1);
  return key === "" ? null : key;
}
async function accountOf(store, hash) {
  const holder = await store.holderOf(keyClaim(hash));
  if (holder === null || holder.kind !== API_KEY.kind) return null;
  const key = JSON.parse(holder.body);
  if (key.status !== "active" || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) return null;
  const id = key.merchantAccount;
  const stored = await store.load({ account: id, kind: MERCHANT_ACCOUNT.kind, id });
  const account = stored === null ? null : JSON.parse(stored.body);
  return account?.status === "enabled" ? account : null;
}

// src/api/base-url.ts
import { BlockList, isIPv6 } from "node:net";

// src/api/memo.ts
function memo(limit, make) {
  const kept = /* @__PURE__ */ new Map();
  return (text2) => {
    const found = kept.get(text2);
    if (found !== void 0 || kept.has(text2)) return found;
    const made = make(text2);
    if (kept.size >= limit) {
      const oldest = kept.keys().next();
      if (!oldest.done) kept.delete(oldest.value);
    }
    kept.set(text2, made);
    return made;
  };
}

// src/api/base-url.ts
var HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
var HOSTS_KEPT = 256;
function createBaseUrls(options) {
  const { publicUrl, trustedProxies, tls } = options;
  if (publicUrl !== null) return () => publicUrl;
  const trusted = networksOf(trustedProxies);
  const isTrusted = memo(HOSTS_KEPT, (address) => trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
  const ownScheme = tls ? "https" : "http";
  const direct = memo(HOSTS_KEPT, (host) => baseOf(ownScheme, host));
  if (trustedProxies.length === 0) return (request) => direct(request.headers.host ?? "");
  return (request) => {
    const host = request.headers.host ?? "";
    if (!isTrusted(plainAddress(request.socket.remoteAddress ?? ""))) return direct(host);
    const scheme = forwarded(request, "x-forwarded-proto")?.toLowerCase() ?? ownScheme;
    if (scheme !== "http" && scheme !== "https") return null;
    return baseOf(scheme, forwarded(request, "x-forwarded-host") ?? host);
  };
}
function baseOf(scheme, host) {
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : null;
}
function forwarded(request, name) {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(",") : value)?.split(",").at(-1)?.trim() || void 0;
}
function networksOf(networks) {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === void 0) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
function plainAddress(address) {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

// src/api/cors.ts
var ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Accept",
  "Software-House-Id",
  "Installer-Id",
  "Idempotency-Key",
  "Prefer",
  "If-None-Match",
  "X-Request-Id",
  "Last-Event-ID"
].join(", ");
var EXPOSED_HEADERS = [
  "ETag",
  "Location",
  "X-Request-Id",
  "Idempotency-Replayed",
  "Retry-After",
  "Preference-Applied"
].join(", ");
var PREFLIGHT_SECONDS = "7200";
var NONE = {};
function createCors(origins) {
  const answerTo2 = (origin) => ({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED_HEADERS,
    ...origins === "*" ? {} : { vary: "Origin" }
  });
  const anyone = answerTo2("*");
  const known = new Map(origins === "*" ? [] : origins.map((origin) => [origin, answerTo2(origin)]));
  const headersFor = (origin) => {
    if (origin === void 0) return NONE;
    return origins === "*" ? anyone : known.get(origin) ?? NONE;
  };
  return {
    headersFor,
    preflight: (origin, methods) => headersFor(origin) === NONE ? NONE : {
      ...headersFor(origin),
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": PREFLIGHT_SECONDS
    }
  };
}

// src/api/event-streams.ts
var BATCH = 100;
var HEARTBEAT_MS = 15e3;
var RECONNECT_MS = 2e3;
function createEventStreams(parts) {
  const { store, feed, clock: clock2, log: log2, limits } = parts;
  const streams = /* @__PURE__ */ new Set();
  let released = false;
  function hasRoomFor(account) {
    const own2 = [...streams].filter((stream2) => stream2.account === account).length;
    return !released && streams.size < limits.streams && own2 < limits.streamsPerAccount;
  }
  function quiet(stream2) {
    return new Promise((resolve) => {
      const alarm = clock2.alarm(clock2.now() + HEARTBEAT_MS, () => stream2.wake());
      stream2.wake = () => {
        alarm.cancel();
        stream2.wake = () => {
        };
        resolve();
      };
    });
  }
  async function pump(stream2, from, response, textOf) {
    let cursor = from;
    await write(response, `retry: ${RECONNECT_MS}

`);
    while (!stream2.ended) {
      stream2.stale = false;
      const events = await store.eventsAfter(stream2.account, cursor, BATCH);
      for (const event of events) await write(response, textOf(event));
      cursor = events.at(-1)?.cursor ?? cursor;
      if (events.length === BATCH || stream2.stale || stream2.ended) continue;
      await quiet(stream2);
      if (!stream2.stale && !stream2.ended) await write(response, ": alive\n\n");
    }
  }
  return {
    get count() {
      return streams.size;
    },
    hasRoomFor,
    open(account, cursor, response, textOf) {
      if (!hasRoomFor(account)) return false;
      const stream2 = { account, stale: false, wake: () => {
      }, ended: false };
      const end2 = () => {
        stream2.ended = true;
        stream2.wake();
      };
      streams.add(stream2);
      const unfollow = feed.followAll((change) => {
        if (change.account !== account) return;
        stream2.stale = true;
        stream2.wake();
      });
      response.once("close", end2);
      void pump(stream2, cursor, response, textOf).catch((error) => log2.error({ account, error }, "event stream failed")).finally(() => {
        unfollow();
        streams.delete(stream2);
        response.end();
      });
      return true;
    },
    release() {
      released = true;
      for (const stream2 of streams) {
        stream2.ended = true;
        stream2.wake();
      }
    }
  };
}
function write(response, text2) {
  if (response.destroyed || response.write(text2)) return;
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

// src/api/http.ts
import fastify from "fastify";

// src/domain/refusals.ts
var REFUSALS = {
  path_unknown: { text: "There is nothing at this address.", retry: false },
  method_unknown: { text: "This address does not take that method.", retry: false },
  url_too_long: { text: "The address is too long.", retry: false },
  headers_too_large: { text: "The request headers are too large.", retry: false },
  request_malformed: { text: "The request could not be read.", retry: false },
  host_invalid: { text: "The Host header is not valid.", retry: false },
  credentials_missing: { text: "Authorisation is missing.", retry: false },
  credentials_refused: { text: "Authorisation was refused.", retry: false },
  version_unknown: { text: "The version named in the Accept header does not exist.", retry: false },
  api_version_unknown: { text: "The version named in api-version does not exist.", retry: false },
  software_house_missing: { text: "The Software-House-Id header is missing.", retry: false },
  installer_missing: { text: "The Installer-Id header is missing.", retry: false },
  origin_refused: { text: "Pages of this origin may not connect.", retry: false },
  upgrade_required: { text: "This address takes WebSocket connections.", retry: false },
  connections_exhausted: { text: "Too many connections are open. Close some, or try again later.", retry: true },
  // literal
  terminal_unavailable: {
    text: "{tid} is unavailable. Please try again in 10 seconds or check the PDQ screen and cabling or restart the PDQ. Contact support if the problem persists.",
    retry: true
  },
  transaction_unknown: { text: "The transaction was not found.", retry: false },
  report_unknown: { text: "The report was not found.", retry: false },
  account_unknown: { text: "The merchant account was not found.", retry: false },
  key_unknown: { text: "The API key was not found.", retry: false },
  body_too_large: { text: "The request body is too large.", retry: false },
  media_type_unknown: { text: "The request body must be JSON.", retry: false },
  body_not_json: { text: "The request body is not valid JSON.", retry: false },
  field_invalid: { text: "The field {field} is missing or not valid.", retry: false },
  header_invalid: { text: "The header {field} is not valid.", retry: false },
  idempotency_key_reused: { text: "This Idempotency-Key was used with a different request.", retry: false },
  signature_pending: { text: "{tid} is waiting for a signature check.", retry: true },
  terminal_busy: { text: "{tid} is busy. Please wait for the current request to finish.", retry: true },
  nothing_to_cancel: { text: "The transaction can no longer be cancelled.", retry: false },
  nothing_to_repeat: { text: "{tid} has no transaction to repeat.", retry: false },
  terminal_silent: { text: "No answer from {tid}. Check the PDQ before you try again.", retry: true },
  already_exists: { text: "{field} is already in use.", retry: false },
  screen_refuses: { text: "The terminal does not take that key now.", retry: true },
  gateway_busy: { text: "The gateway has too much to write at once. Nothing was started.", retry: true },
  gateway_stopping: { text: "The gateway is being stopped. Nothing was started.", retry: true }
};
function sentenceOf(refusal2) {
  return REFUSALS[refusal2.code].text.replace("{tid}", () => refusal2.tid ?? "").replace("{field}", () => refusal2.field ?? "");
}

// src/api/answers.ts
var ANSWERS = {
  path_unknown: { status: 404, rpcCode: -32601, retryAfterSeconds: null },
  method_unknown: { status: 405, rpcCode: -32601, retryAfterSeconds: null },
  url_too_long: { status: 414, rpcCode: -32600, retryAfterSeconds: null },
  headers_too_large: { status: 431, rpcCode: -32600, retryAfterSeconds: null },
  request_malformed: { status: 400, rpcCode: -32600, retryAfterSeconds: null },
  host_invalid: { status: 400, rpcCode: -32600, retryAfterSeconds: null },
  credentials_missing: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  credentials_refused: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  version_unknown: { status: 406, rpcCode: -32600, retryAfterSeconds: null },
  api_version_unknown: { status: 406, rpcCode: -32600, retryAfterSeconds: null },
  software_house_missing: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  installer_missing: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  origin_refused: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  upgrade_required: { status: 426, rpcCode: -32600, retryAfterSeconds: null },
  connections_exhausted: { status: 503, rpcCode: -32070, retryAfterSeconds: 10 },
  // The sentence itself says ten seconds.
  terminal_unavailable: { status: 404, rpcCode: -32602, retryAfterSeconds: 10 },
  transaction_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  report_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  account_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  key_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  body_too_large: { status: 413, rpcCode: -32600, retryAfterSeconds: null },
  media_type_unknown: { status: 415, rpcCode: -32700, retryAfterSeconds: null },
  body_not_json: { status: 422, rpcCode: -32700, retryAfterSeconds: null },
  field_invalid: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  header_invalid: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  idempotency_key_reused: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  signature_pending: { status: 423, rpcCode: -32071, retryAfterSeconds: 5 },
  terminal_busy: { status: 422, rpcCode: -32071, retryAfterSeconds: 2 },
  nothing_to_cancel: { status: 422, rpcCode: -32072, retryAfterSeconds: null },
  nothing_to_repeat: { status: 422, rpcCode: -32074, retryAfterSeconds: null },
  terminal_silent: { status: 504, rpcCode: -32073, retryAfterSeconds: 10 },
  already_exists: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  screen_refuses: { status: 409, rpcCode: -32070, retryAfterSeconds: 1 },
  gateway_busy: { status: 503, rpcCode: -32070, retryAfterSeconds: 1 },
  gateway_stopping: { status: 503, rpcCode: -32070, retryAfterSeconds: 5 }
};
function connectError(refusal2, location) {
  const sentence = sentenceOf(refusal2);
  return { userMessage: sentence, messages: [sentence], ...location === void 0 ? {} : { location } };
}
function problem(refusal2, requestId) {
  const { text: text2, retry } = REFUSALS[refusal2.code];
  return {
    type: `urn:tollgate:problem:${refusal2.code}`,
    title: text2.replaceAll(/\{(?:tid|field)\}/g, "\u2026"),
    status: ANSWERS[refusal2.code].status,
    detail: sentenceOf(refusal2),
    code: refusal2.code,
    ...refusal2.field === void 0 ? {} : { field: refusal2.field },
    requestId,
    retry
  };
}
function internalProblem(requestId) {
  return {
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    detail: "Something went wrong inside the gateway. The log has the details under this request id.",
    code: "internal",
    requestId,
    retry: false
  };
}

// src/api/broken-request.ts
var CODES = { HPE_HEADER_OVERFLOW: "headers_too_large" };
function answerBrokenRequest({ context, traffic }, error, socket) {
  const underWay = traffic.on(socket).filter((response) => response.req.complete);
  if (underWay.length > 0) {
    for (const response of underWay) response.once("close", () => socket.destroy());
    return;
  }
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = context.random.uuid();
  const [status, body] = (
    // Too slow is no refusal: a request that was never there has no body to be told in.
    error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? [408, ""] : refusalOf(CODES[error.code ?? ""], requestId)
  );
  context.metrics.observe("unrouted", status, 0);
  socket.write(
    [
      `HTTP/1.1 ${status} `,
      "Content-Type: application/problem+json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
      "",
      body
    ].join("\r\n")
  );
  socket.destroySoon();
}
function refusalOf(code = "request_malformed", requestId) {
  return [ANSWERS[code].status, JSON.stringify(problem({ code }, requestId))];
}

// src/api/partner.ts
var LONGEST = 255;
function partnerOf(headers, demanded) {
  const softwareHouseId = textIn(headers["software-house-id"]);
  const installerId = textIn(headers["installer-id"]);
  if (demanded && softwareHouseId === null) return { refused: { code: "software_house_missing" } };
  if (demanded && installerId === null) return { refused: { code: "installer_missing" } };
  if ((softwareHouseId?.length ?? 0) > LONGEST)
    return { refused: { code: "header_invalid", field: "Software-House-Id" } };
  if ((installerId?.length ?? 0) > LONGEST) return { refused: { code: "header_invalid", field: "Installer-Id" } };
  return { softwareHouseId, installerId };
}
function textIn(header2) {
  return (Array.isArray(header2) ? header2[0] : header2)?.trim() || null;
}

// src/api/admission.ts
var NAME = /^[^\p{Cc}\p{Cs}]+$/u;
var NO_PARTNER = { softwareHouseId: null, installerId: null };
async function admit(desk, operation, exchange) {
  const base = baseOf2(desk, exchange);
  if (typeof base !== "string") return base;
  const account = operation.auth === "basic" ? await callerOf(desk, exchange) : null;
  if (account !== null && "refused" in account) return account;
  const partner = operation.area === "connect" ? partnerIn(desk, exchange) : NO_PARTNER;
  if ("refused" in partner) return partner;
  const full = fullOf(desk);
  if (full !== null) return full;
  const { request, response, requestId, corsHeaders, chosen } = exchange;
  return { api: desk.context, requestId, base, rung: chosen.rung, corsHeaders, request, response, account, partner };
}
function baseOf2({ context, baseUrlOf }, { request, params }) {
  for (const name in params) if (!NAME.test(params[name] ?? "")) return { refused: { code: "path_unknown" } };
  if ((request.url?.length ?? 0) > context.limits.urlLength) return { refused: { code: "url_too_long" } };
  return baseUrlOf(request) ?? { refused: { code: "host_invalid" } };
}
function callerOf({ authenticator }, { request }) {
  return authenticator.identify(request.headers.authorization);
}
function partnerIn({ context }, { request, chosen }) {
  if (chosen.unknown) return { refused: { code: "version_unknown" } };
  const demanded = chosen.named && chosen.rung.demandsPartner && context.settings.partnerHeaders === "require";
  return partnerOf(request.headers, demanded);
}
function fullOf({ context, traffic }) {
  if (traffic.stopping) return { refused: { code: "gateway_stopping" } };
  const atWork = traffic.serving - context.waiting.count;
  return atWork > context.limits.inFlight ? { refused: { code: "gateway_busy" } } : null;
}

// src/api/read/json-body.ts
import { TextDecoder } from "node:util";

// src/api/read/exact-numbers.ts
var LARGEST_EXPONENT = 30;
var MARK = "\0";
var DECIMAL = /^\0?\s*([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i;
function exactInteger(text2) {
  const [match, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text2) ?? [];
  const shift = Number(exponent);
  if (match === void 0 || Math.abs(shift) > LARGEST_EXPONENT) return null;
  const point = Math.max(whole.length + shift, 0);
  const digits = (whole + fraction).padEnd(point, "0");
  if (/[1-9]/.test(digits.slice(point))) return null;
  const value = Number(`${sign}${digits.slice(0, point) || "0"}`);
  return Number.isSafeInteger(value) ? value + 0 : null;
}
var STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
var MAY_BE_ROUNDED = /[.eE]|\d{16}/;
function keepDigits(json) {
  return json.replace(
    STRING_OR_NUMBER,
    (token) => token.startsWith('"') || !MAY_BE_ROUNDED.test(token) ? token : JSON.stringify(MARK + token)
  );
}

// src/api/read/json-body.ts
var JSON_TYPE = /^(?:(?:application|text)\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.-]+\+json)$/;
async function readJsonBody(request, limitBytes, mayBeEmpty) {
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) return { refused: { code: "body_too_large" } };
  const decoder = decoderFor(request);
  if (decoder === null) return { refused: { code: "media_type_unknown" } };
  const bytes = await collect(request, limitBytes);
  if (bytes === null) return { refused: { code: "body_too_large" } };
  return mayBeEmpty && bytes.length === 0 ? { value: {} } : parse(bytes, decoder);
}
function decoderFor({ headers }) {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") return null;
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (type.trim() !== "" && !JSON_TYPE.test(type.trim())) return null;
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1]).find(Boolean);
  try {
    return new TextDecoder(charset ?? "utf-8", { fatal: true });
  } catch {
    return null;
  }
}
async function collect(request, limitBytes) {
  if (request.destroyed) throw new SenderGone();
  const chunks = [];
  let length = 0;
  let ended = false;
  return new Promise((resolve, reject) => {
    const onData = (chunk) => {
      length += chunk.length;
      if (length <= limitBytes) chunks.push(chunk);
      else {
        request.off("data", onData);
        request.pause();
        resolve(null);
      }
    };
    request.on("data", onData);
    request.once("end", () => {
      ended = true;
      resolve(Buffer.concat(chunks));
    });
    request.once("error", () => reject(new SenderGone()));
    request.once("close", () => {
      if (!ended) reject(new SenderGone());
    });
  });
}
var SenderGone = class extends Error {
  name = "SenderGone";
};
function parse(bytes, decoder) {
  let value;
  try {
    const text2 = decoder.decode(bytes);
    value = JSON.parse(text2);
    const exact = keepDigits(text2);
    if (exact !== text2) value = JSON.parse(exact);
  } catch {
    return { refused: { code: "body_not_json" } };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { refused: { code: "field_invalid", field: "body" } };
  return { value };
}

// src/api/read/lenient.ts
function readAs(schema, input, name) {
  return read(schema, input, name);
}
function saysNothing(value) {
  if (value === void 0 || value === null || value === false || value === 0) return true;
  return typeof value === "string" && (/^\s*(?:false)?\s*$/i.test(value) || exactInteger(value) === 0);
}
function read(schema, input, name) {
  if (schema.anyOf !== void 0) return readVariant(schema.anyOf, input, name);
  switch (schema.type) {
    case "object":
      return readObject(schema, input, name);
    case "integer":
      return check(integerIn(input), (value) => within(schema, value), name);
    case "boolean":
      return check(booleanIn(input), () => true, name);
    case "string":
      return check(textIn2(input), (value) => fits(schema, value), name);
    default:
      throw new Error(`lenient reading does not know schema type ${schema.type}`);
  }
}
function check(value, isRight, name) {
  return value !== null && isRight(value) ? { value } : { invalid: name };
}
function integerIn(input) {
  if (typeof input === "number") return Number.isSafeInteger(input) ? input : null;
  return typeof input === "string" ? exactInteger(input) : null;
}
function within({ minimum, maximum }, value) {
  return value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
}
function booleanIn(input) {
  if (typeof input === "boolean") return input;
  const word = typeof input === "string" ? input.trim().toLowerCase() : "";
  return word === "true" ? true : word === "false" ? false : null;
}
var UNREADABLE = /[\p{Cc}\p{Cs}]/u;
function textIn2(input) {
  return typeof input === "string" && !UNREADABLE.test(input) ? input : null;
}
function fits(schema, value) {
  if (schema.const !== void 0) return value === schema.const;
  if (schema.enum !== void 0) return schema.enum.includes(value);
  if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
    return false;
  return schema.pattern === void 0 || new RegExp(schema.pattern, "u").test(value);
}
function readObject({ properties = {}, required = [] }, input, name) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { invalid: name };
  const object = {};
  for (const [property, schema] of Object.entries(properties)) {
    const sent = Object.hasOwn(input, property) ? input[property] : void 0;
    const found = read(schema, sent, name === "" ? property : `${name}.${property}`);
    if ("value" in found) object[property] = found.value;
    else if (required.includes(property) || !saysNothing(sent)) return found;
  }
  return { value: object };
}
function readVariant(variants, input, name) {
  const sent = typeof input === "object" && input !== null ? { ...input } : {};
  const fixed = Object.entries(variants[0]?.properties ?? {}).find(([, schema]) => schema.const !== void 0);
  const property = fixed?.[0] ?? "";
  const variant = variants.find(({ properties }) => properties?.[property]?.const === sent[property]);
  if (variant !== void 0) return read(variant, input, name);
  return { invalid: name === "" ? property : `${name}.${property}` };
}

// src/api/versions/accept.ts
var CONNECT = /^application\/connect\.([^+]+)\+json$/;
var GENERAL = /* @__PURE__ */ new Set(["*/*", "application/*", "application/json"]);
function versionAsked(accept, known) {
  const choices = choicesIn(accept ?? "");
  const versions = choices.flatMap(({ type, weight }) => {
    const version = CONNECT.exec(type)?.[1];
    return version === void 0 ? [] : [{ version, weight }];
  });
  const best = heaviest(versions.filter(({ version }) => known.includes(version)));
  const general = heaviest(choices.filter(({ type }) => GENERAL.has(type)));
  if (best !== void 0 && best.weight >= (general?.weight ?? 0)) return { named: best.version };
  return versions.length === 0 || general !== void 0 ? { named: null } : "unknown";
}
function choicesIn(accept) {
  return accept.toLowerCase().split(",").map((choice) => {
    const [type = "", ...parameters] = choice.split(";").map((part) => part.trim());
    return { type, weight: weightOf(parameters) };
  }).filter(({ type, weight }) => type !== "" && weight > 0);
}
function weightOf(parameters) {
  const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  return q !== void 0 && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 1;
}
function heaviest(choices) {
  let best;
  for (const choice of choices) if (best === void 0 || choice.weight > best.weight) best = choice;
  return best;
}

// src/api/versions/ladder.ts
var RUNGS = [
  { version: "v2", mediaType: "application/connect.v2+json", demandsPartner: true, step: null }
];
var HEADERS_KEPT = 256;
function createChooser(defaultVersion) {
  const byDefault = RUNGS.find((rung) => rung.version === defaultVersion);
  if (byDefault === void 0) throw new Error(`there is no version ${defaultVersion}`);
  const versions = RUNGS.map((rung) => rung.version);
  const choose = memo(HEADERS_KEPT, (accept) => {
    const asked2 = versionAsked(accept, versions);
    if (asked2 === "unknown") return { rung: byDefault, named: false, unknown: true };
    const named = RUNGS.find((rung) => rung.version === asked2.named);
    return { rung: named ?? byDefault, named: named !== void 0, unknown: false };
  });
  return (accept) => choose(accept ?? "");
}
function lift(rung, operation, body) {
  return stepsAbove(rung).reduceRight((lifted, step) => step.lift(operation, lifted), body);
}
function lower(rung, operation, answer) {
  return stepsAbove(rung).reduce((lowered, step) => step.lower(operation, lowered), answer);
}
function stepsAbove(rung) {
  return RUNGS.slice(0, RUNGS.indexOf(rung) + 1).flatMap(({ step }) => step ?? []);
}

// src/api/input.ts
function queryOf({ query: schema }, sent) {
  if (schema === void 0) return { value: {} };
  const read2 = readAs(schema, { ...Object(sent) }, "");
  return "invalid" in read2 ? invalid(read2.invalid) : read2;
}
function inputOf(operation, { api: api2, request, rung }, params, query) {
  const { name, body: spec } = operation;
  const json = async () => {
    const read2 = await readJsonBody(request, api2.settings.bodyLimitBytes, spec?.optional === true);
    return "refused" in read2 ? read2 : { value: lift(rung, name, read2.value) };
  };
  const body = async () => {
    const sent = await json();
    if ("refused" in sent || spec === void 0) return sent;
    const read2 = readAs(spec.schema, sent.value, "");
    return "invalid" in read2 ? invalid(read2.invalid) : read2;
  };
  return { params, query, json, body };
}
function invalid(field) {
  return { refused: { code: "field_invalid", field: field === "" ? "body" : field } };
}

// src/engine/fault.ts
var SENTENCES = {
  acquirer_missing: "{detail} cannot be carried out, because no acquirer is plugged in; no money has moved.",
  store_busy: "{detail} has more to write than it can take; try again in a second.",
  contention: "{detail} was changed by others at every try; ask again.",
  store_gone: "{detail} has stopped working; restart the gateway.",
  store_newer: "{detail} was written by a newer Tollgate; start that version, or restore a backup from before it.",
  store_broken: "{detail} is damaged or not a Tollgate database; restore it from a backup, or move it away to start afresh.",
  store_unwritable: "{detail} cannot be written; check that its directory belongs to this user and has room.",
  store_locked: "{detail} is in use by another running gateway; stop that one, or choose another data directory.",
  store_outdated: "{detail} is too old a database library, which may lose writes; install the one in the lock file (`npm ci`)."
};
var Fault = class extends Error {
  name = "Fault";
  code;
  /** `detail` names what failed (a file, a version) and stands at the head of the sentence. */
  constructor(code, options = {}) {
    super(
      SENTENCES[code].replace("{detail}", () => options.detail ?? "The store"),
      { cause: options.cause }
    );
    this.code = code;
  }
};

// src/api/request-id.ts
var SANE = /^(?!.*\d{13})[\w.:/+=-]{1,128}$/;
function requestIdOf(sent, random2) {
  return typeof sent === "string" && SANE.test(sent) ? sent : random2.uuid();
}

// src/api/send.ts
var JSON_TYPE2 = "application/json; charset=utf-8";
var PROBLEM_TYPE = "application/problem+json; charset=utf-8";
var NO_BYTES = new Uint8Array();
var ALWAYS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
function send(response, answer, shape) {
  if ("taken" in answer) return null;
  const ready2 = readyAnswer(answer, shape);
  write2(response, ready2, shape);
  return ready2.status;
}
function sendFailure(response, shape) {
  const bytes = shape.area === "connect" ? NO_BYTES : Buffer.from(JSON.stringify(internalProblem(shape.requestId)));
  write2(response, { status: 500, mediaType: PROBLEM_TYPE, bytes }, shape);
  return 500;
}
function readyAnswer(answer, shape) {
  if ("refused" in answer) return readyRefusal(answer, shape);
  const { status, headers } = answer;
  if ("bytes" in answer) return { status, mediaType: answer.mediaType || typeOf(shape), bytes: answer.bytes, headers };
  return ready(status, answer.body, headers, typeOf(shape), shape);
}
function readyRefusal(answer, shape) {
  const { refused, location } = answer;
  const { status, retryAfterSeconds } = ANSWERS[refused.code];
  const headers = {
    ...status === 401 ? { "www-authenticate": 'Basic realm="Tollgate", charset="UTF-8"' } : {},
    ...retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) },
    // The rest of such a body is not read, so the connection cannot go on.
    ...refused.code === "body_too_large" ? { connection: "close" } : {},
    ...answer.headers
  };
  return shape.area === "connect" ? ready(status, connectError(refused, location), headers, typeOf(shape), shape) : ready(status, problem(refused, shape.requestId), headers, PROBLEM_TYPE, shape);
}
function ready(status, body, headers, mediaType, { area, rung, operation }) {
  const answer = { status, ...body === void 0 ? {} : { body } };
  const lowered = area === "connect" ? lower(rung, operation, answer) : answer;
  const bytes = lowered.body === void 0 ? NO_BYTES : Buffer.from(JSON.stringify(lowered.body));
  return { status: lowered.status, mediaType, bytes, headers };
}
function typeOf({ area, rung }) {
  return area === "connect" ? rung.mediaType : JSON_TYPE2;
}
function write2(response, ready2, shape) {
  const { status, bytes, mediaType, headers } = ready2;
  const bodiless = status === 204 || status === 304;
  response.writeHead(status, {
    ...ALWAYS,
    "x-request-id": shape.requestId,
    // A till parses every answer as JSON unless this header is 0. Terminal reference 1.5.
    ...bodiless ? {} : { "content-length": bytes.length },
    ...bytes.length > 0 && !bodiless ? { "content-type": mediaType } : {},
    ...shape.corsHeaders,
    ...headers,
    ...shape.last ? { connection: "close" } : {}
  });
  response.end(bodiless ? void 0 : bytes);
}

// src/api/respond.ts
async function respond(desk, about, routed, answerTo2) {
  const { context, traffic } = desk;
  const { headers } = routed.request;
  const startedAt = context.clock.now();
  const exchange = {
    ...routed,
    requestId: requestIdOf(headers["x-request-id"], context.random),
    chosen: desk.choose(headers.accept),
    corsHeaders: desk.cors.headersFor(headers.origin)
  };
  traffic.enter(routed.response);
  const status = await answered(desk, about, exchange, answerTo2);
  traffic.leave(routed.response);
  if (status === null) return;
  context.metrics.observe(about.name, status, (context.clock.now() - startedAt) / 1e3);
  if (about.method !== "GET" && status < 300)
    context.log.info({ request: exchange.requestId, operation: about.name, status, ...exchange.params }, "request done");
}
async function answered(desk, about, exchange, answerTo2) {
  const { response, requestId: request } = exchange;
  try {
    return send(response, await answerTo2(exchange), shapeOf(desk, about, exchange));
  } catch (error) {
    if (error instanceof SenderGone) {
      response.destroy();
      return null;
    }
    if (error instanceof Fault && error.code === "store_busy")
      return send(response, { refused: { code: "gateway_busy" } }, shapeOf(desk, about, exchange));
    desk.context.log.error({ request, operation: about.name, error }, "request failed");
    if (!response.headersSent) return sendFailure(response, shapeOf(desk, about, exchange));
    response.destroy();
    return null;
  }
}
function shapeOf({ traffic }, { area, name }, { chosen, requestId, corsHeaders }) {
  return { area, operation: name, rung: chosen.rung, requestId, corsHeaders, last: traffic.stopping };
}

// src/api/serve.ts
function serve(desk, operation, routed) {
  return respond(desk, operation, routed, (exchange) => answerTo(desk, operation, exchange));
}
async function answerTo(desk, operation, exchange) {
  const visit = await admit(desk, operation, exchange);
  if ("refused" in visit) return visit;
  const query = queryOf(operation, exchange.query);
  if ("refused" in query) return query;
  return operation.run(visit, inputOf(operation, visit, exchange.params, query.value));
}

// src/api/unrouted.ts
function unroutedHandlers(desk, operations) {
  const addresses = operations.map(({ path, method }) => ({ pattern: patternOf(path), method }));
  const say = (name, request, response, answer) => void respond(
    desk,
    { name, area: areaOf(request), method: "GET" },
    { request, response, params: {}, query: {} },
    () => answer
  );
  return {
    unrouted(request, response) {
      const methods = methodsAt(addresses, request);
      const allow = methods.join(", ");
      if (methods.length === 0) say("unrouted", request, response, { refused: { code: "path_unknown" } });
      else if (request.method !== "OPTIONS")
        say("unrouted", request, response, { refused: { code: "method_unknown" }, headers: { allow } });
      else {
        const headers = { allow, ...desk.cors.preflight(request.headers.origin, methods) };
        say("preflight", request, response, { status: 204, headers });
      }
    },
    badUrl: (request, response) => say("unrouted", request, response, { refused: { code: "request_malformed" } })
  };
}
function patternOf(path) {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`);
}
function methodsAt(addresses, { url: url2 = "" }) {
  const path = url2.replace(/[?#].*$/s, "").replaceAll(/\/{2,}/g, "/");
  const methods = addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) return [];
  return [...new Set(methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : method)), "OPTIONS"];
}
function areaOf({ url: url2 = "" }) {
  return /^\/+(?:pac|retail|pat)(?:[/?#]|$)/.test(url2) ? "connect" : "own";
}

// src/api/http.ts
var LONGEST_PARAMETER = 128;
function createHttp(desk, operations, tls) {
  const { limits } = desk.context;
  const { unrouted, badUrl } = unroutedHandlers(desk, operations);
  const timing = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.checkEveryMs
  };
  const options = {
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Said by `serve`, in the form of each area.
    return503OnClosing: false,
    // Made by `serve`.
    genReqId: () => "",
    rewriteUrl: (request) => pathOf(request.url ?? "/"),
    clientErrorHandler: (error, socket) => answerBrokenRequest(desk, error, socket),
    routerOptions: {
      // Clients put addresses together by hand. Terminal reference 1.1.
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: LONGEST_PARAMETER,
      defaultRoute: unrouted,
      onMaxParamLength: (_path, request, response) => unrouted(request, response),
      onBadUrl: (_path, request, response) => badUrl(request, response)
    }
  };
  const app = tls === null ? fastify({ ...options, http: timing }) : fastify({ ...options, https: { ...timing, cert: Buffer.from(tls.cert), key: Buffer.from(tls.key) } });
  app.server.maxConnections = limits.connections;
  desk.traffic.watch(app.server);
  for (const operation of operations) route(app, desk, operation);
  return app;
}
function route(app, desk, operation) {
  app.route({
    method: operation.method === "GET" ? ["GET", "HEAD"] : operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    onRequest: ({ raw, params, query }, reply) => void serve(desk, operation, {
      request: raw,
      response: reply.raw,
      params,
      query
    }),
    handler: () => {
    }
  });
}
function pathOf(url2) {
  return url2.startsWith("/") ? url2 : url2.replace(/^https?:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
}

// src/api/limits.ts
var HTTP_LIMITS = {
  urlLength: 4096,
  headerBytes: 16384,
  headersMs: 1e4,
  requestMs: 3e4,
  keepAliveMs: 75e3,
  checkEveryMs: 2e3,
  connections: 2e4,
  inFlight: 4e3,
  waits: 1e4,
  waitsPerAccount: 1e3,
  streams: 1e3,
  streamsPerAccount: 20,
  testAccountsPerHour: 200
};

// src/api/schemas.ts
import { Type } from "typebox";

// src/domain/terminal-transaction-events.ts
var TRANSACTION_TYPES = [
  "SALE",
  "REFUND",
  "DUPLICATE",
  "PRE_AUTH",
  "COMPLETION",
  "ACCOUNT_VERIFICATION"
];

// src/api/schemas.ts
function oneOf(words, options = {}) {
  return Type.Unsafe({ type: "string", enum: [...words], ...options });
}
function nullable(schema) {
  return Type.Union([schema, Type.Null()]);
}
var EXAMPLE = {
  base: "https://pay.example",
  tid: "22160001",
  requestId: "6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10",
  location: "https://pay.example/pac/terminals/22160001/transactions/6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10"
};
var CURRENCY = oneOf(TERMINAL_CURRENCIES, { description: "Currency of the terminal." });
var TRANSACTION_TYPE = oneOf(TRANSACTION_TYPES);
var TIME = Type.String({ format: "date-time", description: "RFC 3339, UTC." });
var CONNECT_ERROR = Type.Object(
  {
    userMessage: Type.String({ description: "To be shown to the cashier." }),
    messages: Type.Array(Type.String(), { description: "The same sentence, for readers of the list form." }),
    location: Type.Optional(
      Type.String({ format: "uri", description: "423 only: the transaction that waits for a signature check." })
    )
  },
  { $id: "ConnectError" }
);
var PROBLEM = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: "For programs; never changes its meaning." }),
    field: Type.Optional(Type.String({ description: "The field or header at fault." })),
    requestId: Type.String({ description: "As in X-Request-Id and in the log." }),
    retry: Type.Boolean({ description: "Whether the same request may succeed later without being changed." })
  },
  { $id: "Problem" }
);
var RECEIPT_LINES = Type.Unsafe({
  type: "array",
  items: Type.Object(
    {
      value: Type.String({ description: "Text of the line, laid out for 24 columns." }),
      type: oneOf([
        "TEXT",
        "BOX_DECLINE",
        "BOX_VOID",
        "CARRIAGE_RETURN",
        "LINE_SEPARATOR_SINGLE",
        "LINE_SEPARATOR_DOUBLE",
        "TICKET_FEED"
      ]),
      format: Type.Optional(Type.Array(oneOf(["BOLD", "DOUBLE_HEIGHT", "DOUBLE_WIDTH"])))
    },
    { $id: "ReceiptLine" }
  )
});
var CONNECT_TERMINAL = Type.Object(
  {
    tid: Type.String(),
    status: oneOf(["AVAILABLE", "BUSY"]),
    currency: CURRENCY,
    location: Type.String({ format: "uri" })
  },
  { $id: "Terminal" }
);
var TERMINAL_SETTINGS = Type.Object(
  {
    currency: CURRENCY,
    gratuity: Type.Boolean({ description: "Asks for a tip before the card is presented." }),
    cashbackAllowed: Type.Boolean(),
    printing: Type.Boolean({ description: "Prints on the terminal; when off, the till prints the receipt lines." }),
    contactlessCustomerCopy: Type.Boolean(),
    paceMs: nullable(Type.Integer({ description: "Milliseconds a step takes; null: as the gateway is set." }))
  },
  { $id: "TerminalSettings" }
);
var TERMINAL_SETTINGS_CHANGES = Type.Object(
  {
    currency: Type.Optional(CURRENCY),
    gratuity: Type.Optional(Type.Boolean()),
    cashbackAllowed: Type.Optional(Type.Boolean()),
    printing: Type.Optional(Type.Boolean()),
    contactlessCustomerCopy: Type.Optional(Type.Boolean()),
    paceMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 6e4, description: "Milliseconds a step takes." }))
  },
  { $id: "TerminalSettingsChanges" }
);
var LIMIT = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, description: "Most that are listed at once." })
);

// src/api/openapi-words.ts
var TAGS = [
  { name: "Pay at counter", description: "The till starts a payment on a card terminal." },
  { name: "Transactions", description: "Where the money is, and how it got there." },
  { name: "Events", description: "Everything that happens in an account, in order." },
  { name: "Account", description: "The account behind a key, and its terminals." },
  { name: "Sandbox", description: "The simulator\u2019s controls. In sandbox mode only." },
  { name: "System", description: "For those who run the gateway." },
  { name: "Pages", description: "For people with a browser." }
];
var TEXT = { type: "string" };
var PATH_PARAMETERS = {
  tid: pathParameter("tid", "Terminal id.", EXAMPLE.tid),
  requestId: pathParameter("requestId", "Transaction id, from the answer that started it.", EXAMPLE.requestId),
  file: pathParameter("file", "File name.", "style.css")
};
var REQUEST_HEADERS = {
  "Software-House-Id": header("Software-House-Id", "Who made the till. Demanded when the Accept header names v2."),
  "Installer-Id": header("Installer-Id", "Who installed the till. Demanded when the Accept header names v2."),
  "Idempotency-Key": header(
    "Idempotency-Key",
    "A name for this request, 1 to 255 visible characters; unique within the account for seven days."
  ),
  "If-None-Match": header("If-None-Match", "ETag of the answer that is known already."),
  Prefer: header(
    "Prefer",
    "`wait=30`: with If-None-Match, answer at the next change, within so many seconds (60 at most)."
  ),
  "Last-Event-ID": header("Last-Event-ID", "Cursor of the last event that was seen; browsers send it by themselves.")
};
var HEADERS = {
  "X-Request-Id": { description: "Names this request in the log. A sane one that was sent is repeated.", schema: TEXT },
  ETag: { description: "Strong; changes with the answer.", schema: TEXT },
  Location: { description: "The transaction that was started.", schema: { type: "string", format: "uri" } },
  "Idempotency-Replayed": { description: "`true` when this is the first answer again.", schema: TEXT },
  "Preference-Applied": { description: "The wait that was granted.", schema: TEXT },
  "Retry-After": { description: "Seconds after which another try makes sense.", schema: { type: "integer" } }
};
var ERROR_EXAMPLES = {
  connect: (code) => connectError(refusal(code), code === "signature_pending" ? EXAMPLE.location : void 0),
  own: (code) => problem(refusal(code), "0b9d1c1e-5a4e-4f0e-8a55-2d4c3f1f8a10")
};
function refusal(code) {
  const field = code === "header_invalid" ? "Idempotency-Key" : code === "already_exists" ? EXAMPLE.tid : "amount";
  return { code, tid: EXAMPLE.tid, field };
}
function pathParameter(name, description, example) {
  return { name, in: "path", required: true, description, schema: TEXT, example };
}
function header(name, description) {
  return { name, in: "header", required: false, description, schema: TEXT };
}

// src/api/openapi.ts
function openApiDocument(operations, settings) {
  const schemas = new Schemas();
  const paths = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, schemas) };
  }
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tollgate",
      version: settings.programVersion,
      summary: "An open, self-hosted payment gateway for card terminals.",
      description: "Everything under `/pac` speaks the published connect interface, in the version that the Accept header names. Everything else is Tollgate\u2019s own: JSON, and problem+json for errors.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: settings.publicUrl ?? "/" }],
    tags: TAGS.filter(({ name }) => used.has(name)),
    paths,
    components: {
      schemas: schemas.all(),
      headers: HEADERS,
      parameters: { ...PATH_PARAMETERS, ...REQUEST_HEADERS },
      securitySchemes: {
        basic: {
          type: "http",
          scheme: "basic",
          description: "The API key is the password. Any user name will do; let it name the till product."
        }
      }
    }
  };
}
var Schemas = class {
  #named = /* @__PURE__ */ new Map();
  describe(schema) {
    if (Array.isArray(schema)) return schema.map((each) => this.describe(each));
    if (typeof schema !== "object" || schema === null) return schema;
    const { $id, ...rest } = schema;
    if (typeof $id !== "string") return this.#inside(rest);
    if (!this.#named.has($id)) {
      this.#named.set($id, {});
      this.#named.set($id, this.#inside(rest));
    }
    return { $ref: `#/components/schemas/${$id}` };
  }
  all() {
    return Object.fromEntries([...this.#named].sort(([one2], [other]) => one2 < other ? -1 : 1));
  }
  #inside(schema) {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, this.describe(value)]));
  }
};
function describeOperation(operation, schemas) {
  const { name, summary, description, tag, auth: auth2, body } = operation;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...description === void 0 ? {} : { description },
    security: auth2 === "basic" ? [{ basic: [] }] : [],
    parameters: parametersOf(operation, schemas),
    ...body === void 0 ? {} : {
      requestBody: {
        required: body.optional !== true,
        content: {
          "application/json": {
            schema: schemas.describe(body.schema),
            examples: Object.fromEntries(Object.entries(body.examples).map(([key, value]) => [key, { value }]))
          }
        }
      }
    },
    responses: { ...successes(operation, schemas), ...errors(operation, schemas) }
  };
}
function parametersOf({ path, query, headers = [], area }, schemas) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ $ref: `#/components/parameters/${name}` }));
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemas.describe(schema)
  }));
  const partner = area === "connect" ? ["Software-House-Id", "Installer-Id"] : [];
  const inHeaders = [...partner, ...headers].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inPath, ...inQuery, ...inHeaders];
}
function successes(operation, schemas) {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, spec]) => [status, describeResponse(operation, spec, schemas)])
  );
}
function describeResponse({ area }, spec, schemas) {
  const { description, schema, example, headers = [] } = spec;
  const mediaType = spec.mediaType ?? (area === "connect" ? RUNGS[0].mediaType : "application/json");
  const bodiless = schema === void 0 && spec.mediaType === void 0;
  return {
    description,
    headers: headersOf(["X-Request-Id", ...headers]),
    ...bodiless ? {} : {
      content: {
        [mediaType]: {
          ...schema === void 0 ? {} : { schema: schemas.describe(schema) },
          ...example === void 0 ? {} : { example }
        }
      }
    }
  };
}
function headersOf(names) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
function refusalsOf({ area, auth: auth2, body, query, refusals = [] }) {
  return [
    ...auth2 === "basic" ? ["credentials_missing", "credentials_refused"] : [],
    ...area === "connect" ? ["version_unknown", "software_house_missing", "installer_missing"] : [],
    ...body === void 0 ? [] : ["body_too_large", "media_type_unknown", "body_not_json"],
    ...body === void 0 && query === void 0 ? [] : ["field_invalid"],
    ...refusals,
    "gateway_busy",
    "gateway_stopping"
  ];
}
function errors(operation, schemas) {
  const byStatus = /* @__PURE__ */ new Map();
  for (const code of new Set(refusalsOf(operation))) {
    const { status } = ANSWERS[code];
    byStatus.set(status, [...byStatus.get(status) ?? [], code]);
  }
  const described = [...byStatus].map(([status, codes]) => [status, describeErrors(operation, codes, schemas)]);
  return { ...Object.fromEntries(described), 500: describeFailure(operation, schemas) };
}
function describeErrors({ area }, codes, schemas) {
  const connect = area === "connect";
  const mediaType = connect ? RUNGS[0].mediaType : "application/problem+json";
  const retried = codes.some((code) => ANSWERS[code].retryAfterSeconds !== null);
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headersOf(["X-Request-Id", ...retried ? ["Retry-After"] : []]),
    content: {
      [mediaType]: {
        schema: schemas.describe(connect ? CONNECT_ERROR : PROBLEM),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: ERROR_EXAMPLES[connect ? "connect" : "own"](code) }])
        )
      }
    }
  };
}
function describeFailure({ area }, schemas) {
  const description = "Something went wrong inside the gateway. The log has the details under the request id.";
  const headers = headersOf(["X-Request-Id"]);
  if (area === "connect") return { description, headers };
  return { description, headers, content: { "application/problem+json": { schema: schemas.describe(PROBLEM) } } };
}

// src/api/operations/events.ts
import { Type as Type4 } from "typebox";

// src/api/operation.ts
function accountOperation(spec) {
  return { ...spec, auth: "basic" };
}
function openOperation(spec) {
  return { ...spec, auth: "none" };
}

// src/api/own-views.ts
import { Type as Type3 } from "typebox";

// src/domain/verdict.ts
function verdictOf(record) {
  const finished2 = record.progress === "finished";
  if (record.request.transactionType === "DUPLICATE") return verdictOfDuplicate(record, finished2);
  const moneyTaken = moneyTakenBy(record);
  const final = finished2 && moneyTaken !== "unknown";
  const safeToRetry = final && moneyTaken === "no" && record.result !== "SUCCESSFUL";
  return { final, moneyTaken, safeToRetry, nextStep: nextStepOf(record, final, safeToRetry) };
}
function verdictOfDuplicate(record, finished2) {
  if (!finished2) return { final: false, moneyTaken: "unknown", safeToRetry: false, nextStep: "wait" };
  const known = record.repeated !== null && record.result !== "TIMED_OUT";
  const moneyTaken = !known ? "unknown" : record.result === "SUCCESSFUL" && movesMoney(record.repeated.transactionType) ? "yes" : "no";
  return { final: true, moneyTaken, safeToRetry: false, nextStep: known ? "compare_repeated" : "check_terminal" };
}
function moneyTakenBy(record) {
  if (record.authorisedBy === "terminal") return moneyTakenByTerminal(record);
  switch (record.authorisation) {
    case "none":
    case "declined":
    case "reversed":
      return "no";
    case "confirmed":
      return movesMoney(record.request.transactionType) ? "yes" : "no";
    case "requested":
    case "unknown":
    case "approved":
    case "reversing":
      return "unknown";
  }
}
function moneyTakenByTerminal(record) {
  if (record.result === null || record.result === "TIMED_OUT") return "unknown";
  return record.result === "SUCCESSFUL" && movesMoney(record.request.transactionType) ? "yes" : "no";
}
function movesMoney(type) {
  return type === "SALE" || type === "REFUND" || type === "COMPLETION";
}
function nextStepOf(record, final, safeToRetry) {
  if (record.progress === "awaiting_signature") return "decide_signature";
  if (record.progress !== "finished") return "wait";
  if (!final) return record.authorisedBy === "terminal" ? "check_terminal" : "await_reconciliation";
  return safeToRetry ? "try_again" : "settle_bill";
}

// src/api/local-time.ts
var ZONES_KEPT = 600;
var formatterOf = memo(
  ZONES_KEPT,
  (timeZone) => new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
);
function localTimeOf(at, timeZone) {
  const parts = new Map(
    formatterOf(timeZone).formatToParts(at).map(({ type, value }) => [type, value])
  );
  const part = (name) => parts.get(name) ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`;
}
function utcTimeOf(at) {
  return new Date(at).toISOString();
}

// src/api/transaction-body.ts
import { Type as Type2 } from "typebox";

// src/domain/user-messages.ts
var TRANSACTION_MESSAGES = {
  // literal
  signature_timed_out: "Signature check not actioned before timeout. When required, signatures must be verified within 80 seconds.",
  cashback_refused: "Cashback is not available. The payment went on without it.",
  timed_out: "No answer from {tid}. Check on the PDQ whether the payment was taken.",
  referred: "The card issuer asks for a call. The payment was not taken.",
  no_pre_authorisation: "No open pre-authorisation was found for this card and authorisation code.",
  pre_authorisation_differs: "The amount does not fit the pre-authorisation that is held.",
  nothing_to_repeat: "There is no earlier transaction on this terminal."
};
function userMessageOf(messages, tid) {
  return messages.map((message) => TRANSACTION_MESSAGES[message].replace("{tid}", () => tid)).join(" ");
}

// src/api/transaction-body.ts
var TEXT2 = Type2.Optional(Type2.String());
var AMOUNT = Type2.Optional(Type2.Integer({ description: "Minor units. After the end." }));
var VERIFICATION = Type2.Optional(oneOf(["UNKNOWN", "NONE", "PIN", "SIGNATURE", "DEVICE"]));
var TRANSACTION = Type2.Object(
  {
    requestId: Type2.String(),
    location: Type2.String({ format: "uri", description: "This transaction." }),
    notifications: Type2.Array(Type2.Unsafe({ type: "string" }), {
      description: "What the terminal has shown, newest first. TRANSACTION_FINISHED is the end."
    }),
    transactionType: Type2.Optional(
      oneOf(["SALE", "REFUND", "PRE_AUTH", "COMPLETION", "ACCOUNT_VERIFICATION"], {
        description: "From the signature stage on."
      })
    ),
    transactionResult: Type2.Optional(
      oneOf(["SUCCESSFUL", "DECLINED", "VOID", "UNSUCCESSFUL", "CANCELLED", "TIMED_OUT"], {
        description: "Absent until the end."
      })
    ),
    currency: Type2.Optional(oneOf(TERMINAL_CURRENCIES)),
    amountBase: AMOUNT,
    amountCashback: AMOUNT,
    amountGratuity: AMOUNT,
    amountTotal: AMOUNT,
    authCode: TEXT2,
    applicationId: TEXT2,
    applicationLabel: TEXT2,
    cardSchemeName: TEXT2,
    cardholderVerificationMethod: VERIFICATION,
    cardHolderVerificationMethod: VERIFICATION,
    paymentMethod: Type2.Optional(oneOf(["UNKNOWN", "KEYED", "SWIPED", "ICC_CHIP", "CONTACTLESS"])),
    primaryAccountNumber: Type2.Optional(Type2.String({ description: "Twelve stars and the last four digits." })),
    primaryAccountNumberSequence: TEXT2,
    dateOfStart: Type2.Optional(Type2.String({ description: "MM/YY" })),
    dateOfExpiry: Type2.Optional(Type2.String({ description: "MM/YY" })),
    transactionId: TEXT2,
    transactionNumber: TEXT2,
    transactionTime: Type2.Optional(Type2.String({ description: "Local time of the site, YYYY-MM-DDThh:mm:ss." })),
    receiptLines: Type2.Optional(
      Type2.Object({
        MERCHANT: Type2.Optional(RECEIPT_LINES),
        CUSTOMER: Type2.Optional(RECEIPT_LINES)
      })
    ),
    userMessage: Type2.Optional(
      Type2.String({ description: "To be shown at the end, where there is something to say." })
    )
  },
  { $id: "Transaction" }
);
function transactionBody(record, location, timeZone) {
  const inProgress = {
    requestId: record.requestId,
    location,
    // Clients read element 0 as the current state, and stop when it is TRANSACTION_FINISHED.
    notifications: record.notifications.toReversed()
  };
  if (record.progress === "finished") return { ...inProgress, ...finishedFields(record, timeZone) };
  if (record.signature === null) return inProgress;
  return { ...inProgress, ...signatureFields(record), receiptLines: { MERCHANT: record.receipts.MERCHANT } };
}
function signatureFields(record) {
  const { card, authCode } = record;
  return {
    ...typeOf2(record),
    authCode,
    applicationId: card.applicationId,
    applicationLabel: card.applicationLabel,
    // The seed's spelling and the published one.
    cardholderVerificationMethod: card.cardholderVerificationMethod,
    cardHolderVerificationMethod: card.cardholderVerificationMethod,
    paymentMethod: card.paymentMethod,
    primaryAccountNumber: card.primaryAccountNumber
  };
}
function finishedFields(record, timeZone) {
  const { card, amounts, receipts, messages, tid, repeated: repeated2, result, request } = record;
  const userMessage = userMessageOf(messages, tid);
  return {
    ...signatureFields(record),
    ...result === null ? {} : { transactionResult: result },
    currency: request.currency,
    amountBase: amounts.baseMinor,
    amountCashback: amounts.cashbackMinor,
    amountGratuity: amounts.gratuityMinor,
    amountTotal: totalOf(amounts),
    cardSchemeName: card.cardSchemeName,
    primaryAccountNumberSequence: card.primaryAccountNumberSequence,
    dateOfStart: card.dateOfStart,
    dateOfExpiry: card.dateOfExpiry,
    transactionId: record.transactionId,
    transactionNumber: record.transactionNumber,
    transactionTime: localTimeOf(repeated2?.endedAt ?? record.finishedAt ?? record.startedAt, timeZone),
    receiptLines: { ...receipts },
    ...userMessage === "" ? {} : { userMessage }
  };
}
function typeOf2({ request, repeated: repeated2 }) {
  if (request.transactionType !== "DUPLICATE") return { transactionType: request.transactionType };
  return repeated2 === null ? {} : { transactionType: repeated2.transactionType };
}

// src/api/own-views.ts
var VERDICT = Type3.Object(
  {
    final: Type3.Boolean({ description: "Nothing about the outcome or the money can change any more." }),
    moneyTaken: oneOf(["yes", "no", "unknown"]),
    safeToRetry: Type3.Boolean({ description: "Asking for the same again cannot lead to a second charge." }),
    nextStep: oneOf([
      "wait",
      "decide_signature",
      "settle_bill",
      "try_again",
      "await_reconciliation",
      "check_terminal",
      "compare_repeated"
    ])
  },
  { $id: "Verdict" }
);
var NAME2 = nullable(Type3.String());
var OWN_TRANSACTION = Type3.Object(
  {
    requestId: Type3.String(),
    tid: Type3.String(),
    transactionType: TRANSACTION_TYPE,
    amountMinor: Type3.Integer({ description: "As asked, minor units." }),
    currency: Type3.String(),
    verdict: VERDICT,
    result: nullable(Type3.String()),
    progress: Type3.String({ description: "Where the terminal is." }),
    cancel: Type3.String({ description: "What became of the till's wish to stop." }),
    authorisation: Type3.String({ description: "Where the money is." }),
    partner: Type3.Object({ softwareHouseId: NAME2, installerId: NAME2 }),
    startedAt: TIME,
    finishedAt: nullable(TIME),
    version: Type3.Integer({ description: "Number of events so far." })
  },
  { $id: "TransactionRecord" }
);
var OWN_TRANSACTION_IN_FULL = Type3.Object(
  {
    ...OWN_TRANSACTION.properties,
    record: Type3.Unsafe({ type: "object", description: "The record as the gateway keeps it." }),
    connect: TRANSACTION
  },
  { $id: "TransactionRecordInFull" }
);
function ownTransaction(record) {
  const { requestId, tid, request, result, progress, cancel: cancel2, authorisation, partner, version } = record;
  const { transactionType, amountMinor, currency } = request;
  return {
    ...{ requestId, tid, transactionType, amountMinor, currency },
    verdict: verdictOf(record),
    ...{ result, progress, cancel: cancel2, authorisation, partner: { ...partner } },
    startedAt: utcTimeOf(record.startedAt),
    finishedAt: record.finishedAt === null ? null : utcTimeOf(record.finishedAt),
    version
  };
}
function ownTransactionInFull(record, connect) {
  return { ...ownTransaction(record), record, connect };
}
var EVENT = Type3.Object(
  {
    cursor: Type3.Integer({ description: "Place in the feed of the account; grows." }),
    kind: Type3.String({ description: "Of the record: terminal-transaction, terminal, \u2026" }),
    id: Type3.String({ description: "Of the record." }),
    version: Type3.Integer({ description: "Of the record, which this event has made." }),
    at: TIME,
    type: Type3.String(),
    data: Type3.Object({}, { additionalProperties: true, description: "What the event says besides." })
  },
  { $id: "Event" }
);
var SECRET = /* @__PURE__ */ new Set(["cardToken", "hash"]);
function ownEvent(stored) {
  const { cursor, kind, id, version, at, type } = stored;
  const { event } = JSON.parse(stored.body);
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => name !== "type" && !SECRET.has(name)));
  return { cursor, kind, id, version, at: utcTimeOf(at), type, data };
}

// src/api/operations/events.ts
var DEFAULT_LIMIT = 100;
var STREAM_TYPE = "text/event-stream";
var listEvents = accountOperation({
  name: "listEvents",
  summary: "Read the events of the account, or follow them",
  description: "Oldest first, after the cursor given. With `Accept: text/event-stream` the answer goes on: first what the cursor has missed, then what happens, without a gap and without a repetition. `Last-Event-ID` wins over `after`.",
  tag: "Events",
  area: "own",
  method: "GET",
  path: "/api/events",
  query: Type4.Object({
    after: Type4.Optional(Type4.Integer({ minimum: 0, description: "Cursor of the last event that was seen." })),
    limit: LIMIT
  }),
  headers: ["Last-Event-ID"],
  responses: {
    200: {
      description: "A page, or a stream of server-sent events whose `id` is the cursor and whose data is an event.",
      schema: Type4.Object({
        events: Type4.Array(EVENT),
        next: Type4.Integer({ description: "Ask with `after` set to this for what follows." })
      })
    }
  },
  refusals: ["field_invalid", "header_invalid"],
  async run(visit, { query }) {
    const after = query.after ?? 0;
    if (/\btext\/event-stream\b/i.test(visit.request.headers.accept ?? "")) return stream(visit, after);
    const { api: api2, account } = visit;
    const events = await api2.store.eventsAfter(account.id, after, query.limit ?? DEFAULT_LIMIT);
    return { status: 200, body: { events: events.map(ownEvent), next: events.at(-1)?.cursor ?? after } };
  }
});
function stream({ api: api2, account, request, response, requestId, corsHeaders }, after) {
  const lastSeen = request.headers["last-event-id"];
  if (lastSeen !== void 0 && !/^\d{1,15}$/.test(String(lastSeen)))
    return { refused: { code: "header_invalid", field: "Last-Event-ID" } };
  if (!api2.streams.hasRoomFor(account.id)) return { refused: { code: "gateway_busy" } };
  response.writeHead(200, {
    "content-type": STREAM_TYPE,
    "cache-control": "no-store",
    "x-request-id": requestId,
    // Tells a buffering proxy to pass every line on.
    "x-accel-buffering": "no",
    ...corsHeaders
  });
  if (request.method === "HEAD") response.end();
  else api2.streams.open(account.id, lastSeen === void 0 ? after : Number(lastSeen), response, frameOf);
  return { taken: true };
}
function frameOf(stored) {
  const event = ownEvent(stored);
  return `id: ${event.cursor}
event: ${event.kind}.${event.type}
data: ${JSON.stringify(event)}

`;
}

// src/api/operations/own-account.ts
import { Type as Type5 } from "typebox";
var MOST_TERMINALS = 1e3;
var getAccount = accountOperation({
  name: "getAccount",
  summary: "Read the account that the key belongs to",
  tag: "Account",
  area: "own",
  method: "GET",
  path: "/api/account",
  responses: {
    200: {
      description: "The account.",
      schema: Type5.Object({
        id: Type5.String(),
        name: Type5.String(),
        address: Type5.String(),
        currency: CURRENCY,
        timeZone: Type5.String(),
        public: Type5.Boolean({ description: "A shared account whose key is public; it may be revoked at any time." }),
        createdAt: TIME,
        mode: Type5.String()
      })
    }
  },
  run({ api: api2, account }) {
    const { id, name, address, currency, timeZone, createdAt } = account;
    const body = { id, name, address, currency, timeZone, public: account.public, createdAt: utcTimeOf(createdAt) };
    return { status: 200, body: { ...body, mode: api2.settings.mode } };
  }
});
var listOwnTerminals = accountOperation({
  name: "listOwnTerminals",
  summary: "List the terminals of the account, connected or not",
  tag: "Account",
  area: "own",
  method: "GET",
  path: "/api/terminals",
  responses: {
    200: {
      description: "The terminals, in the order in which they were installed.",
      schema: Type5.Object({
        terminals: Type5.Array(
          Type5.Object(
            {
              tid: Type5.String(),
              driver: Type5.String(),
              connected: Type5.Boolean(),
              transaction: nullable(Type5.String({ description: "requestId of the one that runs." })),
              settings: TERMINAL_SETTINGS,
              createdAt: TIME
            },
            { $id: "TerminalRecord" }
          )
        )
      })
    }
  },
  async run({ api: api2, account }) {
    const { store, transactions } = api2;
    const [installed2, live] = await Promise.all([
      store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS }),
      store.list(account.id, { kind: TERMINAL_TRANSACTION.kind, live: true, limit: MOST_TERMINALS })
    ]);
    const running = new Map(
      live.map(({ body }) => {
        const { tid, requestId } = JSON.parse(body);
        return [tid, requestId];
      })
    );
    const terminals = installed2.toReversed().map(async ({ body }) => {
      const { tid, driver, settings, createdAt } = JSON.parse(body);
      const connected = await transactions.connected(account.id, tid) !== null;
      const transaction = running.get(tid) ?? null;
      return { tid, driver, connected, transaction, settings, createdAt: utcTimeOf(createdAt) };
    });
    return { status: 200, body: { terminals: await Promise.all(terminals) } };
  }
});

// src/api/operations/own-transactions.ts
import { Type as Type6 } from "typebox";

// src/api/addresses.ts
function terminalAddress(base, tid) {
  return `${base}/pac/terminals/${encodeURIComponent(tid)}`;
}
function transactionAddress(base, tid, requestId) {
  return `${terminalAddress(base, tid)}/transactions/${encodeURIComponent(requestId)}`;
}

// src/api/operations/own-transactions.ts
var DEFAULT_LIMIT2 = 50;
var listOwnTransactions = accountOperation({
  name: "listOwnTransactions",
  summary: "List transactions, newest first",
  tag: "Transactions",
  area: "own",
  method: "GET",
  path: "/api/transactions",
  query: Type6.Object({
    terminal: Type6.Optional(Type6.String({ maxLength: 128, description: "Only those of this terminal." })),
    live: Type6.Optional(Type6.Boolean({ description: "Only those that run (true) or have ended (false)." })),
    before: Type6.Optional(Type6.Integer({ minimum: 1, description: "`next` of an earlier answer." })),
    limit: LIMIT
  }),
  responses: {
    200: {
      description: "A page.",
      schema: Type6.Object({
        transactions: Type6.Array(OWN_TRANSACTION),
        next: nullable(Type6.Integer({ description: "Ask with `before` set to this for older ones; null: no more." }))
      })
    }
  },
  refusals: ["field_invalid"],
  async run({ api: api2, account }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT2;
    const asked2 = {
      kind: TERMINAL_TRANSACTION.kind,
      limit,
      ...query.terminal === void 0 ? {} : { parent: query.terminal },
      ...query.live === void 0 ? {} : { live: query.live },
      ...query.before === void 0 ? {} : { before: query.before }
    };
    const page2 = await api2.store.list(account.id, asked2);
    const transactions = page2.map(({ body }) => ownTransaction(JSON.parse(body)));
    const next2 = page2.length < limit ? null : page2.at(-1)?.position ?? null;
    return { status: 200, body: { transactions, next: next2 } };
  }
});
var getOwnTransaction = accountOperation({
  name: "getOwnTransaction",
  summary: "Read a transaction in full, with its verdict",
  tag: "Transactions",
  area: "own",
  method: "GET",
  path: "/api/transactions/{requestId}",
  responses: { 200: { description: "The transaction.", schema: OWN_TRANSACTION_IN_FULL } },
  refusals: ["transaction_unknown"],
  async run({ api: api2, account, base }, { params }) {
    const entry = await api2.engine.read(TERMINAL_TRANSACTION, { account: account.id, id: params.requestId });
    if (entry === null) return { refused: { code: "transaction_unknown" } };
    const { record } = entry;
    const location = transactionAddress(base, record.tid, record.requestId);
    return { status: 200, body: ownTransactionInFull(record, transactionBody(record, location, account.timeZone)) };
  }
});
var listTransactionEvents = accountOperation({
  name: "listTransactionEvents",
  summary: "Read what happened in a transaction, oldest first",
  tag: "Transactions",
  area: "own",
  method: "GET",
  path: "/api/transactions/{requestId}/events",
  responses: { 200: { description: "All its events.", schema: Type6.Object({ events: Type6.Array(EVENT) }) } },
  refusals: ["transaction_unknown"],
  async run({ api: api2, account }, { params }) {
    const key = { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: params.requestId };
    const events = await api2.store.eventsOf(key);
    if (events.length === 0) return { refused: { code: "transaction_unknown" } };
    return { status: 200, body: { events: events.map(ownEvent) } };
  }
});

// src/api/pages/html.ts
var POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The reference draws its icons from data addresses.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ");
var PAGE_HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
};
var HTML_TYPE = "text/html; charset=utf-8";
function escapeHtml(text2) {
  return text2.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
function page({
  title,
  head,
  body
}) {
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${head}
</head>
<body>
${body}
</body>
</html>
`);
}

// src/api/pages/landing.ts
function landingPage(settings, base, terminals) {
  const { mode, publicKey, programVersion } = settings;
  return page({
    title: "Tollgate",
    head: '<link rel="stylesheet" href="/assets/style.css">',
    body: `<main>
<h1>Tollgate <span class="mode">${mode}</span></h1>
<p class="lead">An open, self-hosted payment gateway for card terminals. It answers the till when the payment is on
disk, tells it what the terminal shows, and never leaves it guessing where the money is.</p>
<nav aria-label="Documentation">
<a href="/docs">API reference</a>
<a href="/openapi.json">OpenAPI</a>
<a href="/health/ready">Health</a>
</nav>
${publicKey === null ? "" : tryIt(base, publicKey, terminals)}
<footer>Tollgate ${escapeHtml(programVersion)}</footer>
</main>`
  });
}
function tryIt(base, { account, key }, terminals) {
  const tid = terminals.find(({ state }) => state === "AVAILABLE")?.tid ?? "22160001";
  const sale = `curl -u ${account}:${key} -H 'Content-Type: application/json' \\
  -d '{"transactionType":"SALE","amount":2599,"currency":"GBP"}' \\
  ${base}/pac/terminals/${tid}/transactions`;
  return `<h2 id="try">Take a payment</h2>
<p>The test account <code>${escapeHtml(account)}</code> is shared by everybody and may be reset at any time. Start a
sale on one of its simulated terminals:</p>
<pre tabindex="0" aria-labelledby="try"><code>${escapeHtml(sale)}</code></pre>
<p>Then read the <code>location</code> that comes back, once a second, until its newest notification is
<code>TRANSACTION_FINISHED</code>. For an account of your own:</p>
<pre tabindex="0" aria-label="Open a private test account"><code>${escapeHtml(`curl -X POST ${base}/sandbox/accounts`)}</code></pre>
${terminals.length === 0 ? "" : terminalTable(account, terminals)}`;
}
function terminalTable(account, terminals) {
  const rows = terminals.map(
    ({ tid, state }) => `<tr><td>${escapeHtml(tid)}</td><td><span class="state state-${state}">${state.toLowerCase()}</span></td></tr>`
  );
  return `<h2>Terminals</h2>
<table>
<caption>Simulated terminals of ${escapeHtml(account)}, as they were when this page was made</caption>
<thead><tr><th scope="col">Terminal</th><th scope="col">State</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

// src/api/pages/reference.ts
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
var FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8"
};
var START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // No request leaves this host.
  validatorUrl: null,
})
`;
var REFERENCE_PAGE = page({
  title: "Tollgate API reference",
  head: `<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>`,
  body: '<div id="reference"></div>\n<noscript><a href="/openapi.json">OpenAPI description</a></noscript>'
});
function referenceFile(name) {
  if (name === "start.js") return { bytes: Buffer.from(START), mediaType: "text/javascript; charset=utf-8" };
  const mediaType = Object.hasOwn(FILES, name) ? FILES[name] : void 0;
  return mediaType === void 0 ? null : { bytes: bytesOf(name), mediaType };
}
var bytesOf = memo(Object.keys(FILES).length, (name) => readFileSync(join(folder(), name)));
function folder() {
  return join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")), "static");
}

// src/api/pages/style.ts
var STYLE = `:root {
  --ground: #f7f6f2;
  --panel: #ffffff;
  --ink: #1d2430;
  --quiet: #5b6472;
  --line: #dcdad2;
  --accent: #0b6e4f;
  --accent-ink: #ffffff;
  --free: #0b6e4f;
  --busy: #9a5b00;
  --off: #8b2f2f;
  --code: #f0eee7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c;
    --panel: #1a2029;
    --ink: #e7e9ec;
    --quiet: #9aa4b2;
    --line: #2c3542;
    --accent: #4cc79a;
    --accent-ink: #0c1a15;
    --free: #4cc79a;
    --busy: #e0a64a;
    --off: #e08080;
    --code: #10151c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
main { max-width: 56rem; margin: 0 auto; padding: 3.5rem 1.25rem 2rem; }
h1 { font-size: 2.4rem; line-height: 1.1; letter-spacing: -0.02em; margin: 0; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
p { margin: 0.75rem 0; max-width: 42rem; }
.lead { font-size: 1.15rem; color: var(--quiet); }
.mode {
  display: inline-block;
  margin-left: 0.5rem;
  padding: 0.1rem 0.6rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font-size: 0.8rem;
  font-weight: 500;
  letter-spacing: 0;
  vertical-align: middle;
  color: var(--quiet);
}
nav { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1.5rem 0 0; }
nav a {
  padding: 0.5rem 0.95rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--panel);
  color: var(--ink);
  text-decoration: none;
}
nav a:first-child { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
nav a:hover { border-color: var(--accent); }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre {
  margin: 0.5rem 0;
  padding: 1rem;
  overflow-x: auto;
  background: var(--code);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  font: 0.85rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
table { width: 100%; border-collapse: collapse; background: var(--panel); border: 1px solid var(--line); }
caption { text-align: left; color: var(--quiet); padding: 0 0 0.5rem; }
th, td { text-align: left; padding: 0.45rem 0.9rem; border-top: 1px solid var(--line); }
th { font-size: 0.8rem; font-weight: 600; color: var(--quiet); }
td:first-child { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9rem; }
.state::before { content: '\u25CF'; margin-right: 0.45rem; }
.state-AVAILABLE::before { color: var(--free); }
.state-BUSY::before { color: var(--busy); }
.state-UNPLUGGED::before { color: var(--off); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.85rem; }
`;
var ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b6e4f"/>
<path d="M8 26V9m0 4h16" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none"/>
<path d="M13 13h3m4 0h3" stroke="#0b6e4f" stroke-width="1.5"/>
<circle cx="8" cy="9" r="3" fill="#ffd166"/>
</svg>
`;

// src/api/operations/pages.ts
var MOST_TERMINALS2 = 100;
var FILE_HEADERS = { ...PAGE_HEADERS, "cache-control": "public, max-age=3600" };
var ASSETS = {
  "style.css": { bytes: Buffer.from(STYLE), mediaType: "text/css; charset=utf-8" },
  "icon.svg": { bytes: Buffer.from(ICON), mediaType: "image/svg+xml" }
};
var getLandingPage = openOperation({
  name: "getLandingPage",
  summary: "What this is",
  tag: "Pages",
  area: "system",
  method: "GET",
  path: "/",
  responses: { 200: { description: "A page.", mediaType: "text/html" } },
  async run(visit) {
    const { settings } = visit.api;
    return html(landingPage(settings, visit.base, await publicTerminals(visit)));
  }
});
var getReference = openOperation({
  name: "getReference",
  summary: "The API reference",
  tag: "Pages",
  area: "system",
  method: "GET",
  path: "/docs",
  responses: { 200: { description: "A page.", mediaType: "text/html" } },
  run: () => html(REFERENCE_PAGE)
});
var getReferenceFile = openOperation({
  name: "getReferenceFile",
  summary: "A file of the API reference",
  tag: "Pages",
  area: "system",
  method: "GET",
  path: "/docs/{file}",
  responses: { 200: { description: "The file.", mediaType: "*/*" } },
  refusals: ["path_unknown"],
  run: (_, { params }) => file(referenceFile(params.file))
});
var getAsset = openOperation({
  name: "getAsset",
  summary: "A file of the pages",
  tag: "Pages",
  area: "system",
  method: "GET",
  path: "/assets/{file}",
  responses: { 200: { description: "The file.", mediaType: "*/*" } },
  refusals: ["path_unknown"],
  run: (_, { params }) => file(Object.hasOwn(ASSETS, params.file) ? ASSETS[params.file] ?? null : null)
});
function html(bytes) {
  return { status: 200, bytes, mediaType: HTML_TYPE, headers: PAGE_HEADERS };
}
function file(found) {
  return found === null ? { refused: { code: "path_unknown" } } : { status: 200, ...found, headers: FILE_HEADERS };
}
async function publicTerminals({ api: api2 }) {
  const account = api2.settings.publicKey?.account;
  if (account === void 0) return [];
  const [installed2, live] = await Promise.all([
    api2.store.list(account, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS2 }),
    api2.store.list(account, { kind: TERMINAL_TRANSACTION.kind, live: true, limit: MOST_TERMINALS2 })
  ]);
  const busy = new Set(live.map(({ body }) => JSON.parse(body).tid));
  return Promise.all(
    installed2.toReversed().map(async ({ body }) => {
      const { tid } = JSON.parse(body);
      const connected = await api2.transactions.connected(account, tid) !== null;
      return { tid, state: !connected ? "UNPLUGGED" : busy.has(tid) ? "BUSY" : "AVAILABLE" };
    })
  );
}

// src/api/operations/sandbox.ts
import { Type as Type8 } from "typebox";

// src/api/sandbox-schemas.ts
import { Type as Type7 } from "typebox";
var HOW = ["tap", "insert", "swipe", "keyed"];
var SCREEN = Type7.Object(
  {
    tid: Type7.String(),
    connected: Type7.Boolean(),
    lines: Type7.Array(Type7.String(), { description: "The display, top line first." }),
    keys: Type7.Array(Type7.String(), { description: "The keys that do something now." }),
    cardInSlot: Type7.Boolean(),
    paper: Type7.Boolean(),
    requestId: nullable(Type7.String({ description: "The transaction on the terminal." })),
    settings: TERMINAL_SETTINGS
  },
  { $id: "Screen" }
);
var TEST_CARD = Type7.Object(
  {
    card: Type7.String({ description: "Name, for `present_card`." }),
    name: Type7.String(),
    scheme: Type7.String(),
    maskedNumber: Type7.String(),
    how: Type7.Array(oneOf(HOW)),
    pin: Type7.String({ description: "The right PIN; empty when the card has none." }),
    answer: Type7.String({ description: "What its issuer says." })
  },
  { $id: "TestCard" }
);
var plainKey = (key) => Type7.Object({ key: Type7.Literal(key) });
var SCREEN_KEY = Type7.Union(
  [
    Type7.Object({
      key: Type7.Literal("present_card"),
      card: Type7.String({ maxLength: 64, description: "Name of a test card." }),
      how: oneOf(HOW)
    }),
    Type7.Object({ key: Type7.Literal("pin"), digits: Type7.String({ pattern: "^\\d{4,12}$" }) }),
    Type7.Object({ key: Type7.Literal("gratuity"), amountMinor: Type7.Integer({ minimum: 0, maximum: 99999999 }) }),
    plainKey("remove_card"),
    plainKey("cancel"),
    plainKey("unplug"),
    plainKey("plug_in"),
    plainKey("take_paper_out"),
    plainKey("put_paper_in")
  ],
  { $id: "ScreenKey" }
);

// src/api/operations/sandbox.ts
var MOST_TERMINALS3 = 1e3;
var listTestCards = openOperation({
  name: "listTestCards",
  summary: "List the cards that the simulated terminals take",
  tag: "Sandbox",
  area: "sandbox",
  method: "GET",
  path: "/sandbox/cards",
  responses: { 200: { description: "The cards.", schema: Type8.Object({ cards: Type8.Array(TEST_CARD) }) } },
  run: ({ api: api2 }) => ({ status: 200, body: { cards: simulator(api2.sandbox).cards } })
});
var listScreens = accountOperation({
  name: "listScreens",
  summary: "List the simulated terminals with their screens",
  tag: "Sandbox",
  area: "sandbox",
  method: "GET",
  path: "/sandbox/terminals",
  responses: { 200: { description: "The terminals.", schema: Type8.Object({ terminals: Type8.Array(SCREEN) }) } },
  async run({ api: api2, account }) {
    const installed2 = await api2.store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS3 });
    const terminals = installed2.toReversed().map(({ body }) => JSON.parse(body));
    return { status: 200, body: { terminals: terminals.map((terminal) => screenOf(api2.sandbox, terminal)) } };
  }
});
var getScreen = accountOperation({
  name: "getScreen",
  summary: "Look at the screen of a simulated terminal",
  tag: "Sandbox",
  area: "sandbox",
  method: "GET",
  path: "/sandbox/terminals/{tid}",
  responses: { 200: { description: "The terminal.", schema: SCREEN } },
  refusals: ["terminal_unavailable"],
  async run(visit, { params: { tid } }) {
    const terminal = await installed(visit, tid);
    return terminal === null ? unavailable(tid) : { status: 200, body: screenOf(visit.api.sandbox, terminal) };
  }
});
var pressKey = accountOperation({
  name: "pressKey",
  summary: "Do something at a simulated terminal",
  description: "Present a card, type a PIN, pull the plug. Answers with the screen as it is then.",
  tag: "Sandbox",
  area: "sandbox",
  method: "POST",
  path: "/sandbox/terminals/{tid}/keys",
  body: {
    schema: SCREEN_KEY,
    examples: {
      "present a card": { key: "present_card", card: "visa-approved", how: "insert" },
      "type the PIN": { key: "pin", digits: "1234" },
      "pull the plug": { key: "unplug" }
    }
  },
  responses: { 200: { description: "Done.", schema: SCREEN } },
  refusals: ["terminal_unavailable", "screen_refuses"],
  async run(visit, { params: { tid }, body }) {
    const terminal = await installed(visit, tid);
    if (terminal === null) return unavailable(tid);
    const key = await body();
    if ("refused" in key) return key;
    const pressed2 = await simulator(visit.api.sandbox).press(terminal, key.value);
    if (pressed2 === "refused") return { refused: { code: "screen_refuses" } };
    return { status: 200, body: screenOf(visit.api.sandbox, terminal) };
  }
});
var configureTerminal = accountOperation({
  name: "configureTerminal",
  summary: "Change settings of a simulated terminal",
  tag: "Sandbox",
  area: "sandbox",
  method: "PATCH",
  path: "/sandbox/terminals/{tid}/settings",
  body: { schema: TERMINAL_SETTINGS_CHANGES, examples: { slower: { paceMs: 1500 }, tips: { gratuity: true } } },
  responses: { 200: { description: "All settings now in force.", schema: TERMINAL_SETTINGS } },
  refusals: ["terminal_unavailable"],
  async run(visit, { params: { tid }, body }) {
    const { api: api2, account } = visit;
    if (await installed(visit, tid) === null) return unavailable(tid);
    const changes = await body();
    if ("refused" in changes) return changes;
    const executed = await api2.engine.execute(
      TERMINAL,
      { account: account.id, id: tid },
      { type: "configure", changes: changes.value }
    );
    if ("refused" in executed) return executed;
    if ("repeated" in executed) throw new Error("settings bear no idempotency key");
    return { status: 200, body: { ...executed.record.settings } };
  }
});
async function installed({ api: api2, account }, tid) {
  const entry = await api2.engine.read(TERMINAL, { account: account.id, id: tid });
  return entry === null || entry.record.status === "removed" ? null : entry.record;
}
function screenOf(sandbox, terminal) {
  const { tid, settings } = terminal;
  const { lines, keys, ...screen } = simulator(sandbox).screenOf(terminal);
  return { tid, ...screen, lines: [...lines], keys: [...keys], settings: { ...settings } };
}
function unavailable(tid) {
  return { refused: { code: "terminal_unavailable", tid } };
}
function simulator(sandbox) {
  if (sandbox === null) throw new Error("there is no simulator in live mode");
  return sandbox;
}

// src/api/operations/start-transaction.ts
import { Type as Type10 } from "typebox";

// src/engine/idempotency.ts
import { createHash as createHash2 } from "node:crypto";
var IDEMPOTENCY_MS = 7 * 24 * 60 * 60 * 1e3;
function fingerprintOf(parts) {
  return createHash2("sha256").update(JSON.stringify(parts)).digest("base64url");
}
async function once({ store, clock: clock2 }, request, run) {
  const earlier = await replay({ store, clock: clock2 }, request);
  if (earlier !== null) return earlier;
  const { key, fingerprint } = request;
  const expiresAt = clock2.now() + IDEMPOTENCY_MS;
  const outcome = await run({ key, fingerprint, answer: JSON.stringify(request.answer), expiresAt });
  if ("answer" in outcome) return outcome;
  const first = await replay({ store, clock: clock2 }, request);
  if (first !== null) return first;
  if ("refused" in outcome) return outcome;
  throw new Error("an idempotency key was taken but cannot be found");
}
async function replay({ store, clock: clock2 }, { account, key, fingerprint }) {
  const kept = await store.idempotencyOf(account, key);
  if (kept === null || kept.expiresAt <= clock2.now()) return null;
  if (kept.fingerprint !== fingerprint) return { refused: { code: "idempotency_key_reused" } };
  return { answer: JSON.parse(kept.answer) };
}

// src/api/transaction-request.ts
import { Type as Type9 } from "typebox";
var AMOUNT2 = Type9.Integer({ minimum: 1, maximum: 99999999, description: "Minor units." });
var FIELDS = {
  transactionType: oneOf(TRANSACTION_TYPES),
  currency: CURRENCY,
  amount: AMOUNT2,
  amountCashback: Type9.Integer({ minimum: 0, maximum: 1e4, description: "Minor units. SALE only." }),
  cardholderNotPresent: Type9.Boolean({ description: "Keyed at the terminal without the card. SALE and REFUND only." }),
  authCode: Type9.String({
    minLength: 1,
    maxLength: 20,
    description: "COMPLETION only: the code of the first pre-authorisation made on the card."
  }),
  amountPreAuthorisedTotal: Type9.Integer({
    minimum: 1,
    maximum: 99999999,
    description: "COMPLETION only: the sum of all pre-authorisations on the card, minor units."
  })
};
var TRANSACTION_REQUEST = Type9.Object(
  {
    transactionType: FIELDS.transactionType,
    currency: Type9.Optional(FIELDS.currency),
    amount: Type9.Optional(FIELDS.amount),
    amountCashback: Type9.Optional(FIELDS.amountCashback),
    cardholderNotPresent: Type9.Optional(FIELDS.cardholderNotPresent),
    authCode: Type9.Optional(FIELDS.authCode),
    amountPreAuthorisedTotal: Type9.Optional(FIELDS.amountPreAuthorisedTotal)
  },
  { $id: "TransactionRequest" }
);
var RULES = {
  SALE: rules("R", "R", "O", "O", "N", "N"),
  REFUND: rules("R", "R", "N", "O", "N", "N"),
  PRE_AUTH: rules("R", "R", "N", "N", "N", "N"),
  COMPLETION: rules("R", "R", "N", "N", "R", "O"),
  ACCOUNT_VERIFICATION: rules("O", "I", "N", "N", "N", "N"),
  DUPLICATE: rules("O", "N", "N", "N", "N", "N")
};
function rules(currency, amount, amountCashback, cardholderNotPresent, authCode, amountPreAuthorisedTotal) {
  return { currency, amount, amountCashback, cardholderNotPresent, authCode, amountPreAuthorisedTotal };
}
function readTransactionRequest(body, strictCompletion) {
  const type = readAs(FIELDS.transactionType, own(body, "transactionType"), "transactionType");
  if ("invalid" in type) return type;
  const found = {};
  for (const field of Object.keys(RULES[type.value])) {
    const read2 = readField(field, ruleFor(type.value, field, strictCompletion), own(body, field));
    if ("invalid" in read2) return read2;
    found[field] = read2.value;
  }
  return { value: asked(type.value, found) };
}
function asked(transactionType, found) {
  return {
    transactionType,
    currency: found.currency ?? null,
    amountMinor: found.amount ?? 0,
    cashbackMinor: found.amountCashback ?? 0,
    cardholderNotPresent: found.cardholderNotPresent ?? false,
    authCode: found.authCode ?? null,
    preAuthorisedTotalMinor: found.amountPreAuthorisedTotal ?? null
  };
}
function ruleFor(type, field, strictCompletion) {
  const demanded = strictCompletion && type === "COMPLETION" && field === "amountPreAuthorisedTotal";
  return demanded ? "R" : RULES[type][field];
}
function readField(field, rule, sent) {
  switch (rule) {
    case "R":
      return readAs(FIELDS[field], sent, field);
    case "O": {
      const read2 = readAs(FIELDS[field], sent, field);
      return "invalid" in read2 && saysNothing(sent) ? { value: void 0 } : read2;
    }
    case "N":
      return saysNothing(sent) ? { value: void 0 } : { invalid: field };
    case "I":
      return { value: void 0 };
  }
}
function own(body, name) {
  return Object.hasOwn(body, name) ? body[name] : void 0;
}

// src/api/operations/start-transaction.ts
var IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
var EXAMPLES = {
  sale: { transactionType: "SALE", amount: 2599, currency: "GBP" },
  "sale with cashback": { transactionType: "SALE", amount: 2599, currency: "GBP", amountCashback: 1e3 },
  "card not present": { transactionType: "SALE", amount: 2599, currency: "GBP", cardholderNotPresent: true },
  refund: { transactionType: "REFUND", amount: 500, currency: "GBP" },
  "pre-authorisation": { transactionType: "PRE_AUTH", amount: 1e4, currency: "GBP" },
  completion: {
    transactionType: "COMPLETION",
    amount: 8150,
    currency: "GBP",
    authCode: "AB12C3",
    amountPreAuthorisedTotal: 1e4
  },
  "account verification": { transactionType: "ACCOUNT_VERIFICATION" },
  duplicate: { transactionType: "DUPLICATE" }
};
var startTransaction = accountOperation({
  name: "startTransaction",
  summary: "Start a transaction on a terminal",
  description: "When this answers, the transaction is on disk. Send an `Idempotency-Key` to be able to ask again after a lost answer: the same key with the same request starts nothing twice and gets the first answer.",
  tag: "Pay at counter",
  area: "connect",
  method: "POST",
  path: "/pac/terminals/{tid}/transactions",
  headers: ["Idempotency-Key"],
  body: { schema: TRANSACTION_REQUEST, examples: EXAMPLES },
  responses: {
    201: {
      description: "The transaction runs. Poll its location.",
      schema: Type10.Object({ requestId: Type10.String(), location: Type10.String({ format: "uri" }) }),
      headers: ["Location", "Idempotency-Replayed"],
      example: { requestId: EXAMPLE.requestId, location: EXAMPLE.location }
    }
  },
  refusals: ["terminal_unavailable", "header_invalid", "idempotency_key_reused", "signature_pending", "terminal_busy"],
  async run(visit, { params: { tid }, json }) {
    const { api: api2, account } = visit;
    const key = visit.request.headers["idempotency-key"];
    const terminal = await api2.transactions.connected(account.id, tid);
    if (terminal === null && key === void 0) return unavailable2(tid);
    const asked2 = await readAsked(visit, json);
    if ("refused" in asked2) return terminal === null ? unavailable2(tid) : asked2;
    const requestId = api2.random.uuid();
    const begin = (idempotency) => start(visit, terminal, tid, asked2.value, requestId, idempotency);
    const outcome = key === void 0 ? await begin() : await beginOnce(visit, String(key), tid, asked2.value, requestId, begin);
    if ("repeated" in outcome) throw new Error("a start without an idempotency key was taken for a repetition");
    if ("refused" in outcome) return refusalAnswer(visit, outcome.refused);
    return started2(visit, tid, outcome.answer.requestId, outcome.answer.requestId !== requestId);
  }
});
async function readAsked({ api: api2 }, json) {
  const body = await json();
  if ("refused" in body) return body;
  const read2 = readTransactionRequest(body.value, api2.settings.strictCompletion);
  return "invalid" in read2 ? { refused: { code: "field_invalid", field: read2.invalid } } : read2;
}
async function beginOnce({ api: api2, account }, key, tid, asked2, requestId, begin) {
  if (!IDEMPOTENCY_KEY.test(key)) return { refused: { code: "header_invalid", field: "Idempotency-Key" } };
  const fingerprint = fingerprintOf(["startTransaction", tid, asked2]);
  return once(api2, { account: account.id, key, fingerprint, answer: { requestId } }, begin);
}
async function start({ api: api2, account, partner }, terminal, tid, asked2, requestId, idempotency) {
  if (terminal === null) return unavailable2(tid);
  const currency = asked2.currency ?? terminal.settings.currency;
  if (currency !== terminal.settings.currency) return { refused: { code: "field_invalid", field: "currency" } };
  const executed = await api2.transactions.start({
    requestId,
    account: account.id,
    tid,
    request: { ...asked2, currency },
    partner,
    ...idempotency === void 0 ? {} : { idempotency }
  });
  return "record" in executed ? { answer: { requestId } } : executed;
}
function unavailable2(tid) {
  return { refused: { code: "terminal_unavailable", tid } };
}
function started2({ base }, tid, requestId, replayed) {
  const location = transactionAddress(base, tid, requestId);
  return {
    status: 201,
    body: { requestId, location },
    headers: { location, ...replayed ? { "idempotency-replayed": "true" } : {} }
  };
}
function refusalAnswer({ base }, refused) {
  const { tid, requestId } = refused;
  return tid !== void 0 && requestId !== void 0 ? { refused, location: transactionAddress(base, tid, requestId) } : { refused };
}

// src/api/operations/system.ts
import { timingSafeEqual as timingSafeEqual2 } from "node:crypto";
import { Type as Type11 } from "typebox";
var isLive = openOperation({
  name: "isLive",
  summary: "Whether the process answers at all",
  tag: "System",
  area: "system",
  method: "GET",
  path: "/health/live",
  responses: { 200: { description: "It does.", schema: Type11.Object({ status: Type11.Literal("live") }) } },
  run: () => ({ status: 200, body: { status: "live" } })
});
var isReady = openOperation({
  name: "isReady",
  summary: "Whether the gateway takes work",
  tag: "System",
  area: "system",
  method: "GET",
  path: "/health/ready",
  responses: {
    200: { description: "It does.", schema: Type11.Object({ status: Type11.Literal("ready") }) },
    503: {
      description: "It does not.",
      schema: Type11.Object({ status: Type11.Literal("not ready"), problems: Type11.Array(Type11.String()) })
    }
  },
  run({ api: api2 }) {
    const problems = api2.ready();
    return problems.length === 0 ? { status: 200, body: { status: "ready" } } : { status: 503, body: { status: "not ready", problems: [...problems] } };
  }
});
var getMetrics = openOperation({
  name: "getMetrics",
  summary: "Figures for Prometheus",
  description: "With a metrics token in force, send it as a bearer token. Without one: open in sandbox, absent in live mode.",
  tag: "System",
  area: "system",
  method: "GET",
  path: "/metrics",
  responses: { 200: { description: "All figures.", mediaType: "text/plain" } },
  refusals: ["credentials_missing", "credentials_refused"],
  async run(visit) {
    const refusal2 = refusalOfMetrics(visit);
    if (refusal2 !== null) return refusal2;
    const { metrics: metrics2 } = visit.api;
    return { status: 200, bytes: Buffer.from(await metrics2.text()), mediaType: metrics2.contentType };
  }
});
function refusalOfMetrics({ api: api2, request }) {
  const { metricsToken, mode } = api2.settings;
  if (metricsToken === null) return mode === "sandbox" ? null : { refused: { code: "path_unknown" } };
  const headers = { "www-authenticate": 'Bearer realm="Tollgate metrics"' };
  const sent = request.headers.authorization;
  if (sent === void 0) return { refused: { code: "credentials_missing" }, headers };
  const token = Buffer.from(/^bearer +(\S+) *$/i.exec(sent)?.[1] ?? "");
  const wanted2 = Buffer.from(metricsToken);
  const right = token.length === wanted2.length && timingSafeEqual2(token, wanted2);
  return right ? null : { refused: { code: "credentials_refused" }, headers };
}
var getOpenApi = openOperation({
  name: "getOpenApi",
  summary: "This description",
  tag: "System",
  area: "system",
  method: "GET",
  path: "/openapi.json",
  responses: { 200: { description: "OpenAPI 3.1.", mediaType: "application/json" } },
  run: ({ api: api2 }) => ({ status: 200, bytes: api2.openApiDocument(), mediaType: "application/json; charset=utf-8" })
});

// src/api/operations/terminals.ts
import { Type as Type12 } from "typebox";
var MOST_TERMINALS4 = 1e3;
var EXAMPLE_TERMINAL = {
  tid: EXAMPLE.tid,
  status: "AVAILABLE",
  currency: "GBP",
  location: `${EXAMPLE.base}/pac/terminals/${EXAMPLE.tid}`
};
var listTerminals = accountOperation({
  name: "listTerminals",
  summary: "List the terminals that are connected",
  tag: "Pay at counter",
  area: "connect",
  method: "GET",
  path: "/pac/terminals",
  query: Type12.Object({
    status: Type12.Optional(oneOf(["AVAILABLE", "BUSY"])),
    currency: Type12.Optional(oneOf(TERMINAL_CURRENCIES))
  }),
  responses: {
    200: {
      description: "The terminals, in the order in which they were installed.",
      schema: Type12.Object({ terminals: Type12.Array(CONNECT_TERMINAL) }),
      example: { terminals: [EXAMPLE_TERMINAL] }
    }
  },
  refusals: ["field_invalid"],
  async run(visit, { query }) {
    const terminals = (await connectedTerminals(visit)).filter(
      ({ status, currency }) => (query.status ?? status) === status && (query.currency ?? currency) === currency
    );
    return { status: 200, body: { terminals } };
  }
});
var getTerminal = accountOperation({
  name: "getTerminal",
  summary: "Look at one terminal",
  tag: "Pay at counter",
  area: "connect",
  method: "GET",
  path: "/pac/terminals/{tid}",
  responses: { 200: { description: "The terminal.", schema: CONNECT_TERMINAL, example: EXAMPLE_TERMINAL } },
  refusals: ["terminal_unavailable"],
  async run({ api: api2, account, base }, { params: { tid } }) {
    const terminal = await api2.transactions.connected(account.id, tid);
    if (terminal === null) return { refused: { code: "terminal_unavailable", tid } };
    const busy = await api2.transactions.liveOn(account.id, tid) !== null;
    return { status: 200, body: terminalBody(terminal, busy, base) };
  }
});
async function connectedTerminals({ api: api2, account, base }) {
  const { store, transactions } = api2;
  const [installed2, live] = await Promise.all([
    store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS4 }),
    store.list(account.id, { kind: TERMINAL_TRANSACTION.kind, live: true, limit: MOST_TERMINALS4 })
  ]);
  const busy = new Set(live.map(({ body }) => JSON.parse(body).tid));
  const connected = await Promise.all(installed2.toReversed().map(({ id }) => transactions.connected(account.id, id)));
  return connected.flatMap((terminal) => terminal === null ? [] : terminalBody(terminal, busy.has(terminal.tid), base));
}
function terminalBody({ tid, settings }, busy, base) {
  return {
    tid,
    status: busy ? "BUSY" : "AVAILABLE",
    currency: settings.currency,
    location: terminalAddress(base, tid)
  };
}

// src/api/operations/test-accounts.ts
import { Type as Type13 } from "typebox";
var openTestAccount = openOperation({
  name: "openTestAccount",
  summary: "Open a private test account with its own key and terminals",
  tag: "Sandbox",
  area: "sandbox",
  method: "POST",
  path: "/sandbox/accounts",
  body: {
    schema: Type13.Object({
      name: Type13.Optional(Type13.String({ minLength: 1, maxLength: 24, description: "First line of its receipts." })),
      currency: Type13.Optional(CURRENCY),
      timeZone: Type13.Optional(Type13.String({ maxLength: 64, description: "IANA name, such as Europe/London." }))
    }),
    optional: true,
    examples: { "a shop in Dublin": { name: "My Shop", currency: "EUR", timeZone: "Europe/Dublin" } }
  },
  responses: {
    201: {
      description: "The account. Its key is shown this once.",
      schema: Type13.Object({
        account: Type13.String(),
        key: Type13.String({ description: "Password of Basic authentication." }),
        terminals: Type13.Array(Type13.String())
      }),
      example: { account: "test-abcd", key: "tg_\u2026", terminals: [EXAMPLE.tid] }
    }
  },
  refusals: ["gateway_busy"],
  async run({ api: api2 }, { body }) {
    const wish = await body();
    if ("refused" in wish) return wish;
    const { name = "Test Shop", currency = "GBP", timeZone = null } = wish.value;
    if (timeZone !== null && !isTimeZone(timeZone)) return { refused: { code: "field_invalid", field: "timeZone" } };
    if (!api2.testAccounts.take()) return { refused: { code: "gateway_busy" } };
    if (api2.openTestAccount === null) throw new Error("there are no test accounts in live mode");
    const opened = await api2.openTestAccount({ name, currency, timeZone });
    if ("refused" in opened) return opened;
    return { status: 201, body: { ...opened, terminals: [...opened.terminals] } };
  }
});
function isTimeZone(name) {
  try {
    return /^[a-z]/i.test(name) && Intl.DateTimeFormat("en-GB", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

// src/api/operations/transactions.ts
import { Type as Type14 } from "typebox";

// src/api/representation.ts
import { createHash as createHash3 } from "node:crypto";
var KEPT_PER_RECORD = 8;
function createRepresentations() {
  const etags = /* @__PURE__ */ new WeakMap();
  function tagged(bytes) {
    let etag = etags.get(bytes);
    if (etag === void 0) {
      etag = `"${createHash3("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      etags.set(bytes, etag);
    }
    return { bytes, etag };
  }
  return {
    of(entry, { operation, rung, base }, build) {
      const name = `${operation} ${rung.version} ${base}`;
      const kept = entry.answers.get(name);
      if (kept !== void 0) return tagged(kept);
      const { body } = lower(rung, operation, { status: 200, body: build() });
      const bytes = Buffer.from(JSON.stringify(body));
      if (entry.answers.size < KEPT_PER_RECORD) entry.answers.set(name, bytes);
      return tagged(bytes);
    }
  };
}
function noneMatchNames(header2, etag) {
  if (header2 === void 0) return false;
  if (header2 === etag || header2.trim() === "*") return true;
  return header2.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

// src/api/waiting.ts
var LONGEST_WAIT_SECONDS = 60;
function waitSecondsOf(prefer) {
  const header2 = Array.isArray(prefer) ? prefer.join(",") : prefer ?? "";
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(header2)?.[1];
  return Math.min(Number(seconds ?? 0), LONGEST_WAIT_SECONDS);
}
function createWaiting(parts) {
  const { feed, clock: clock2, limits } = parts;
  const ends = /* @__PURE__ */ new Set();
  const perAccount = /* @__PURE__ */ new Map();
  let released = false;
  function count(account, by) {
    const left = (perAccount.get(account) ?? 0) + by;
    if (left === 0) perAccount.delete(account);
    else perAccount.set(account, left);
  }
  return {
    get count() {
      return ends.size;
    },
    wait(key, until, response) {
      if (released || ends.size >= limits.waits) return null;
      if ((perAccount.get(key.account) ?? 0) >= limits.waitsPerAccount) return null;
      let tell = () => {
      };
      const end2 = new Promise((resolve) => tell = resolve);
      const finish = (how) => {
        if (!ends.delete(finish)) return;
        count(key.account, -1);
        unfollow();
        alarm.cancel();
        response.off("close", gone);
        tell(how);
      };
      const gone = () => finish("gone");
      const unfollow = feed.follow(key, () => finish("changed"));
      const alarm = clock2.alarm(until, () => finish("over"));
      response.once("close", gone);
      ends.add(finish);
      count(key.account, 1);
      return { end: end2, cancel: () => finish("over") };
    },
    release() {
      released = true;
      for (const finish of [...ends]) finish("over");
    }
  };
}

// src/api/operations/transactions.ts
var PATH = "/pac/terminals/{tid}/transactions/{requestId}";
var NOT_THERE = ["terminal_unavailable", "transaction_unknown"];
var getTransaction = accountOperation({
  name: "getTransaction",
  summary: "Read a transaction",
  description: "Poll once a second until the newest notification is TRANSACTION_FINISHED. With `If-None-Match` an unchanged transaction costs an empty 304; with `Prefer: wait=30` beside it, the answer comes at the next change instead.",
  tag: "Pay at counter",
  area: "connect",
  method: "GET",
  path: PATH,
  headers: ["If-None-Match", "Prefer"],
  responses: {
    200: {
      description: "The transaction as it is.",
      schema: TRANSACTION,
      headers: ["ETag", "Preference-Applied"],
      example: {
        requestId: EXAMPLE.requestId,
        location: EXAMPLE.location,
        notifications: ["PIN_ENTRY", "PLEASE_WAIT", "PRESENT_CARD", "TRANSACTION_STARTED"]
      }
    },
    304: { description: "Not changed.", headers: ["ETag", "Preference-Applied"] }
  },
  refusals: NOT_THERE,
  async run(visit, { params }) {
    const { headers } = visit.request;
    const ifNoneMatch = headers["if-none-match"];
    const waitSeconds = ifNoneMatch === void 0 ? 0 : waitSecondsOf(headers["prefer"]);
    const until = visit.api.clock.now() + waitSeconds * 1e3;
    let wait2 = null;
    let applied = false;
    for (; ; ) {
      const entry = peek(visit, params) ?? await find(visit, params);
      if ("refused" in entry) return entry;
      const { bytes, etag } = represent(visit, entry);
      const answerHeaders = { etag, ...applied ? { "preference-applied": `wait=${waitSeconds}` } : {} };
      const changed2 = !noneMatchNames(ifNoneMatch, etag);
      if (changed2 || entry.record.progress === "finished" || visit.api.clock.now() >= until) {
        wait2?.cancel();
        return changed2 ? { status: 200, bytes, mediaType: "", headers: answerHeaders } : { status: 304, headers: answerHeaders };
      }
      if (wait2 === null) {
        wait2 = visit.api.waiting.wait(keyOf(visit, params), until, visit.response);
        if (wait2 === null) return { status: 304, headers: answerHeaders };
        continue;
      }
      applied = true;
      const end2 = await wait2.end;
      if (end2 === "gone") return { taken: true };
      wait2 = null;
    }
  }
});
var cancelTransaction = accountOperation({
  name: "cancelTransaction",
  summary: "Ask to cancel a transaction",
  description: "Answered at once; whether it worked is told by the notifications of the transaction.",
  tag: "Pay at counter",
  area: "connect",
  method: "DELETE",
  path: PATH,
  responses: { 202: { description: "The wish was taken. Go on polling." } },
  refusals: NOT_THERE,
  async run(visit, { params }) {
    const entry = await find(visit, params);
    if ("refused" in entry) return entry;
    const executed = await visit.api.transactions.execute(keyOf(visit, params), { type: "cancel" });
    return "refused" in executed ? executed : { status: 202 };
  }
});
var answerSignature = accountOperation({
  name: "answerSignature",
  summary: "Accept or refuse a signature",
  description: "Within 80 seconds. Answered at once; a decision that comes too late changes nothing, and `userMessage` says so.",
  tag: "Pay at counter",
  area: "connect",
  method: "PUT",
  path: `${PATH}/signature`,
  body: {
    schema: Type14.Object({ accepted: Type14.Boolean({ description: "false: the terminal undoes the payment." }) }),
    examples: { accept: { accepted: true }, refuse: { accepted: false } }
  },
  responses: { 202: { description: "The decision was taken. Go on polling." } },
  refusals: NOT_THERE,
  async run(visit, { params, body }) {
    const entry = await find(visit, params);
    if ("refused" in entry) return entry;
    const read2 = await body();
    if ("refused" in read2) return read2;
    const { accepted } = read2.value;
    const executed = await visit.api.transactions.execute(keyOf(visit, params), { type: "decide_signature", accepted });
    return "refused" in executed ? executed : { status: 202 };
  }
});
function keyOf({ account }, { requestId }) {
  return { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId };
}
function peek(visit, params) {
  const entry = visit.api.engine.peek(TERMINAL_TRANSACTION, keyOf(visit, params));
  return entry?.record.tid === params.tid ? entry : null;
}
async function find(visit, params) {
  const { api: api2, account } = visit;
  const entry = await api2.engine.read(TERMINAL_TRANSACTION, keyOf(visit, params));
  if (entry?.record.tid === params.tid) return entry;
  const { tid } = params;
  const terminal = await api2.transactions.connected(account.id, tid);
  return { refused: terminal === null ? { code: "terminal_unavailable", tid } : { code: "transaction_unknown" } };
}
function represent({ api: api2, account, rung, base }, entry) {
  const { tid, requestId } = entry.record;
  return api2.representations.of(
    entry,
    { operation: "getTransaction", rung, base },
    () => transactionBody(entry.record, transactionAddress(base, tid, requestId), account.timeZone)
  );
}

// src/api/operations/index.ts
var OPERATIONS = [
  // Pay at counter
  listTerminals,
  getTerminal,
  startTransaction,
  getTransaction,
  cancelTransaction,
  answerSignature,
  // Tollgate's own
  getAccount,
  listOwnTerminals,
  listOwnTransactions,
  getOwnTransaction,
  listTransactionEvents,
  listEvents,
  // Sandbox
  openTestAccount,
  listTestCards,
  listScreens,
  getScreen,
  pressKey,
  configureTerminal,
  // System and pages
  isLive,
  isReady,
  getMetrics,
  getOpenApi,
  getLandingPage,
  getReference,
  getReferenceFile,
  getAsset
];

// src/api/traffic.ts
function createTraffic() {
  const responses = /* @__PURE__ */ new Set();
  const sockets = /* @__PURE__ */ new Set();
  let stopping = false;
  let drained = false;
  let whenEmpty = () => {
  };
  return {
    get serving() {
      return responses.size;
    },
    get stopping() {
      return stopping;
    },
    enter: (response) => void responses.add(response),
    leave(response) {
      responses.delete(response);
      if (responses.size === 0) whenEmpty();
    },
    on: (socket) => [...responses].filter((response) => response.socket === socket),
    watch(server) {
      const keep = (socket) => {
        if (drained) socket.destroySoon();
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      };
      server.on("connection", keep);
      server.on("secureConnection", keep);
    },
    stop() {
      stopping = true;
    },
    async drain(clock2, until) {
      if (responses.size > 0) {
        await new Promise((resolve) => {
          const alarm = clock2.alarm(until, resolve);
          whenEmpty = () => {
            alarm.cancel();
            resolve();
          };
        });
      }
      drained = true;
      if (responses.size === 0) for (const socket of sockets) socket.destroySoon();
      else for (const socket of sockets) socket.destroy();
    }
  };
}

// src/api/api.ts
var CLOSE_LIMIT_MS = 1e4;
function createApi(parts, { tls = null, limits: changed2 = {} } = {}) {
  const limits = { ...HTTP_LIMITS, ...changed2 };
  const operations = OPERATIONS.filter(({ area }) => area !== "sandbox" || parts.settings.mode === "sandbox");
  let document = null;
  const context = {
    ...parts,
    limits,
    waiting: createWaiting({ feed: parts.feed, clock: parts.clock, limits }),
    streams: createEventStreams({ ...parts, limits }),
    representations: createRepresentations(),
    testAccounts: createAllowance(limits.testAccountsPerHour, parts.clock),
    openApiDocument() {
      document ??= Buffer.from(JSON.stringify(openApiDocument(operations, parts.settings)));
      return document;
    }
  };
  const traffic = createTraffic();
  const desk = {
    context,
    traffic,
    authenticator: createAuthenticator(parts),
    baseUrlOf: createBaseUrls({ ...parts.settings, tls: tls !== null }),
    choose: createChooser(parts.settings.defaultVersion),
    cors: createCors(parts.settings.corsOrigins)
  };
  const app = createHttp(desk, operations, tls);
  let closed = null;
  const close = async (limitMs) => {
    traffic.stop();
    context.waiting.release();
    context.streams.release();
    const stopped = app.close();
    await traffic.drain(parts.clock, parts.clock.now() + limitMs);
    await stopped;
  };
  return {
    async listen(at) {
      await app.listen({ ...at });
      const address = app.server.address();
      return typeof address === "object" && address !== null ? { host: address.address, port: address.port } : at;
    },
    close(limitMs = CLOSE_LIMIT_MS) {
      closed ??= close(limitMs);
      return closed;
    },
    inject: app.inject.bind(app),
    server: app.server
  };
}

// src/acquirers/simulated/holds.ts
var MOST_OPEN_HOLDS = 200;
function capturable(ledger, order) {
  const open = holdsIn(ledger, ledger.openHolds(order.account, order.cardToken));
  const first = open.findIndex((hold) => hold.authCode === order.authCode);
  if (first === -1) return { declined: "no_pre_authorisation" };
  const holds2 = open.slice(first);
  const totalMinor = holds2.reduce((sum, hold) => sum + hold.amountMinor, 0);
  const fits2 = order.amountMinor <= totalMinor && (order.preAuthorisedTotalMinor === null || order.preAuthorisedTotalMinor === totalMinor) && holds2.every((hold) => hold.currency === order.currency);
  return fits2 ? { holds: holds2 } : { declined: "pre_authorisation_differs" };
}
function withHold(ledger, hold) {
  const before = ledger.openHolds(hold.account, hold.cardToken);
  const orderIds = [...before.orderIds, hold.orderId];
  const kept = orderIds.slice(-MOST_OPEN_HOLDS);
  const counted2 = before.counted + 1;
  const fallen = { ...before, orderIds: orderIds.slice(0, orderIds.length - kept.length) };
  return {
    hold: { ...hold, holdNumber: counted2 },
    open: { ...before, counted: counted2, orderIds: kept },
    released: holdsIn(ledger, fallen).map((old) => ({ ...old, state: "released" }))
  };
}
function withoutHolds(open, gone) {
  const ids = new Set(gone.map((hold) => hold.orderId));
  return { ...open, orderIds: open.orderIds.filter((id) => !ids.has(id)) };
}
function reopened(ledger, capture) {
  const before = ledger.openHolds(capture.account, capture.cardToken);
  const holds2 = holdsIn(ledger, { ...before, orderIds: capture.captured }).filter((hold) => hold.state === "captured").map((hold) => ({ ...hold, state: "held" }));
  const inOrder = [...holdsIn(ledger, before), ...holds2].sort((one2, other) => one2.holdNumber - other.holdNumber);
  return { holds: holds2, open: { ...before, orderIds: inOrder.map((hold) => hold.orderId) } };
}
function holdsIn(ledger, { account, orderIds }) {
  return orderIds.map((id) => ledger.find(account, id)).filter((hold) => hold !== null);
}

// src/simulated-world/test-cards.ts
var VISA = { cardSchemeName: "VISA", applicationId: "A0000000031010" };
var MASTERCARD = { cardSchemeName: "MASTERCARD", applicationId: "A0000000041010" };
var ORDINARY = {
  sequence: "01",
  dateOfStart: "01/24",
  dateOfExpiry: "12/49",
  contactless: true,
  chip: "works",
  stripe: true,
  device: false,
  pin: "1234",
  cashback: false,
  taken: true,
  issuer: "approves"
};
var VISA_DEBIT = { ...ORDINARY, ...VISA, applicationLabel: "VISA DEBIT", cashback: true };
var MASTERCARD_DEBIT = { ...ORDINARY, ...MASTERCARD, applicationLabel: "DEBIT MASTERCARD", cashback: true };
var PHONE = { chip: "none", stripe: false, device: true, pin: null, sequence: "00" };
var TEST_CARDS = [
  { ...VISA_DEBIT, token: "sim-visa-debit", name: "Visa debit", number: "4462030000000000" },
  {
    ...ORDINARY,
    ...VISA,
    token: "sim-visa-credit",
    name: "Visa credit",
    number: "4111111111111111",
    applicationLabel: "VISA CREDIT"
  },
  { ...MASTERCARD_DEBIT, token: "sim-mastercard-debit", name: "Mastercard debit", number: "5200828282828210" },
  {
    ...ORDINARY,
    ...MASTERCARD,
    token: "sim-mastercard-credit",
    name: "Mastercard credit",
    number: "5555555555554444",
    applicationLabel: "MASTERCARD"
  },
  {
    ...ORDINARY,
    token: "sim-maestro",
    name: "Maestro",
    number: "6759649826438453",
    cardSchemeName: "MAESTRO",
    applicationId: "A0000000043060",
    applicationLabel: "MAESTRO",
    cashback: true
  },
  {
    ...ORDINARY,
    token: "sim-amex",
    name: "American Express",
    number: "378282246310005",
    cardSchemeName: "AMEX",
    applicationId: "A00000002501",
    applicationLabel: "AMERICAN EXPRESS"
  },
  {
    ...ORDINARY,
    token: "sim-discover",
    name: "Discover",
    number: "6011111111111117",
    cardSchemeName: "DISCOVER",
    applicationId: "A0000001523010",
    applicationLabel: "DISCOVER"
  },
  { ...VISA_DEBIT, ...PHONE, token: "sim-visa-phone", name: "Visa on a phone", number: "4012888888881881" },
  {
    ...MASTERCARD_DEBIT,
    ...PHONE,
    token: "sim-mastercard-phone",
    name: "Mastercard on a phone",
    number: "2223003122003222"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-signature",
    name: "Visa debit, signature instead of a PIN",
    number: "4917610000000000",
    pin: null
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-broken-chip",
    name: "Visa debit, chip does not work",
    number: "4484070000000000",
    contactless: false,
    chip: "broken"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-declined",
    name: "Visa debit, declined",
    number: "4000000000000002",
    issuer: "do_not_honour"
  },
  {
    ...MASTERCARD_DEBIT,
    token: "sim-mastercard-declined",
    name: "Mastercard debit, declined",
    number: "5105105105105100",
    issuer: "do_not_honour"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-insufficient-funds",
    name: "Visa debit, insufficient funds",
    number: "4000000000009995",
    issuer: "insufficient_funds"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-referred",
    name: "Visa debit, issuer asks for a call",
    number: "4929421234600821",
    issuer: "refer_to_issuer"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-lost-or-stolen",
    name: "Visa debit, lost or stolen",
    number: "4000000000009979",
    issuer: "lost_or_stolen"
  },
  {
    ...VISA_DEBIT,
    token: "sim-visa-expired",
    name: "Visa debit, expired",
    number: "4000000000000069",
    dateOfStart: "01/17",
    dateOfExpiry: "12/19",
    issuer: "expired_card"
  },
  {
    ...ORDINARY,
    token: "sim-jcb",
    name: "JCB, not taken here",
    number: "3530111333300000",
    cardSchemeName: "JCB",
    applicationId: "A0000000651010",
    applicationLabel: "JCB CREDIT",
    taken: false,
    issuer: "card_not_supported"
  }
];
var BY_TOKEN = new Map(TEST_CARDS.map((card) => [card.token, card]));
function testCardOf(token) {
  return BY_TOKEN.get(token) ?? null;
}

// src/acquirers/simulated/issuer.ts
var FIRST_CODED_MINOR = 9e6;
var LAST_CODED_MINOR = FIRST_CODED_MINOR + 99;
var ANSWER_BY_RESPONSE_CODE = {
  "01": declined("refer_to_issuer", "01"),
  "02": declined("refer_to_issuer", "02"),
  "05": declined("do_not_honour", "05"),
  "14": declined("card_not_supported", "14"),
  "41": declined("lost_or_stolen", "41"),
  "43": declined("lost_or_stolen", "43"),
  "51": declined("insufficient_funds", "51"),
  "54": declined("expired_card", "54"),
  "55": declined("incorrect_pin", "55"),
  // "Response received too late" and "issuer unavailable": the two ways not to get an answer.
  "68": { answer: "approved_late" },
  "91": { answer: "silent" }
};
var RESPONSE_CODE = {
  do_not_honour: "05",
  insufficient_funds: "51",
  expired_card: "54",
  lost_or_stolen: "41",
  incorrect_pin: "55",
  refer_to_issuer: "01",
  card_not_supported: "14",
  no_pre_authorisation: "12",
  pre_authorisation_differs: "13"
};
function issuerAnswerFor(cardToken, amountMinor) {
  if (amountMinor >= FIRST_CODED_MINOR && amountMinor <= LAST_CODED_MINOR) {
    const asked2 = ANSWER_BY_RESPONSE_CODE[String(amountMinor - FIRST_CODED_MINOR).padStart(2, "0")];
    if (asked2 !== void 0) return asked2;
  }
  const issuer = testCardOf(cardToken)?.issuer ?? "card_not_supported";
  return issuer === "approves" ? { answer: "approved" } : declined(issuer, RESPONSE_CODE[issuer]);
}
function declined(reason, responseCode) {
  return { answer: "declined", reason, responseCode };
}

// src/acquirers/simulated/ledger.ts
var LISTED = 1e3;
function createLedger(memory) {
  function find2(account, orderId) {
    const body = memory.read("order", orderKey(account, orderId));
    return body === null ? null : JSON.parse(body);
  }
  return {
    find: find2,
    list: (account, limit = LISTED) => memory.list("order", { parent: account, limit }).map(({ body }) => JSON.parse(body)),
    moneyOf(account, orderId) {
      const order = find2(account, orderId);
      return order === null ? 0 : moneyMovedBy(order);
    },
    openHolds(account, cardToken) {
      const body = memory.read("hold", holdKey(account, cardToken));
      return body === null ? { account, cardToken, counted: 0, orderIds: [] } : JSON.parse(body);
    },
    write(orders, holds2) {
      memory.write([...orders.map(orderDocument), ...holds2 === void 0 ? [] : [holdsDocument(holds2)]]);
    }
  };
}
function moneyMovedBy(order) {
  switch (order.state) {
    case "charged":
      return order.amountMinor;
    case "captured":
      return order.kind === "capture" ? order.amountMinor : 0;
    case "refunded":
      return -order.amountMinor;
    case "held":
    case "verified":
    case "declined":
    case "reversed":
    case "released":
      return 0;
  }
}
function orderDocument(order) {
  const { account, orderId } = order;
  return { shelf: "order", key: orderKey(account, orderId), parent: account, body: JSON.stringify(order) };
}
function holdsDocument(holds2) {
  const { account, cardToken } = holds2;
  return { shelf: "hold", key: holdKey(account, cardToken), parent: account, body: JSON.stringify(holds2) };
}
function orderKey(account, orderId) {
  return `${account}/${orderId}`;
}
function holdKey(account, cardToken) {
  return `${account}/${cardToken}`;
}

// src/acquirers/simulated/acquirer.ts
var STATE_WHEN_APPROVED = {
  charge: "charged",
  hold: "held",
  capture: "captured",
  refund: "refunded",
  verify: "verified"
};
var CODE_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
var CODE_LENGTH = 6;
var REFERENCE_LENGTH = 12;
function createSimulatedAcquirer(parts) {
  const ledger = createLedger(parts.memory);
  function answer(order, decide6) {
    const known = ledger.find(order.account, order.orderId);
    return known === null ? decide6() : answerOf(known);
  }
  function decideWith(order, kind, captured = []) {
    const issuer = issuerAnswerFor(order.cardToken, order.amountMinor);
    switch (issuer.answer) {
      case "silent":
        return UNKNOWN;
      case "declined":
        return decline(order, kind, issuer.reason, issuer.responseCode);
      case "approved":
        return answerOf(approve(order, kind, captured));
      case "approved_late":
        approve(order, kind, captured);
        return UNKNOWN;
    }
  }
  function approve(order, kind, captured) {
    const row2 = {
      ...rowOf(order, kind, parts.clock.now()),
      state: STATE_WHEN_APPROVED[kind],
      authCode: draw(parts.random, CODE_ALPHABET, CODE_LENGTH),
      reference: draw(parts.random, CODE_ALPHABET.slice(0, 10), REFERENCE_LENGTH),
      captured: captured.map((hold) => hold.orderId)
    };
    if (kind === "hold") {
      const { hold, open, released } = withHold(ledger, row2);
      ledger.write([...released, hold], open);
    } else if (kind === "capture") {
      const open = withoutHolds(ledger.openHolds(order.account, order.cardToken), captured);
      ledger.write([...captured.map((hold) => ({ ...hold, state: "captured" })), row2], open);
    } else {
      ledger.write([row2]);
    }
    return row2;
  }
  function decline(order, kind, reason, responseCode) {
    const row2 = {
      ...rowOf(order, kind, parts.clock.now()),
      state: "declined",
      decline: { reason, responseCode }
    };
    ledger.write([row2]);
    return answerOf(row2);
  }
  function capture(order) {
    const found = capturable(ledger, order);
    return "declined" in found ? decline(order, "capture", found.declined, RESPONSE_CODE[found.declined]) : decideWith(order, "capture", found.holds);
  }
  return {
    name: "simulated",
    ledger,
    authorise: async (order, purpose) => answer(order, () => decideWith(order, purpose)),
    capture: async (order) => answer(order, () => capture(order)),
    refund: async (order) => answer(order, () => decideWith(order, "refund")),
    verify: async (order) => answer(order, () => decideWith(order, "verify")),
    async reverse(reversal) {
      reverseOrder(ledger, reversal, parts.clock.now());
      return "reversed";
    }
  };
}
var UNKNOWN = { answer: "unknown" };
function answerOf(order) {
  switch (order.state) {
    case "charged":
    case "held":
    case "captured":
    case "refunded":
    case "verified":
      return { answer: "approved", authCode: order.authCode, reference: order.reference };
    case "declined":
    case "reversed":
    case "released": {
      const { reason, responseCode } = order.decline ?? {
        reason: "do_not_honour",
        responseCode: RESPONSE_CODE.do_not_honour
      };
      return { answer: "declined", reason, responseCode };
    }
  }
}
function reverseOrder(ledger, { account, orderId }, at) {
  const order = ledger.find(account, orderId);
  if (order === null) {
    const nothing = { orderId, account, amountMinor: 0, currency: "", cardToken: "" };
    ledger.write([{ ...rowOf(nothing, "unseen", at), state: "reversed" }]);
    return;
  }
  switch (order.state) {
    case "held":
      ledger.write([{ ...order, state: "released" }], withoutHolds(ledger.openHolds(account, order.cardToken), [order]));
      return;
    case "captured":
      if (order.kind === "hold") {
        ledger.write([{ ...order, state: "released" }]);
      } else {
        const { holds: holds2, open } = reopened(ledger, order);
        ledger.write([...holds2, { ...order, state: "reversed" }], open);
      }
      return;
    case "charged":
    case "refunded":
    case "verified":
      ledger.write([{ ...order, state: "reversed" }]);
      return;
    case "declined":
    case "reversed":
    case "released":
      return;
  }
}
function rowOf(order, kind, at) {
  const { orderId, account, amountMinor, currency, cardToken } = order;
  return {
    orderId,
    account,
    kind,
    amountMinor,
    currency,
    cardToken,
    authCode: "",
    reference: "",
    decline: null,
    holdNumber: 0,
    captured: [],
    at
  };
}
function draw(random2, alphabet, length) {
  return Array.from(random2.bytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join("");
}

// src/engine/cache.ts
function createRecordCache(limit, clock2) {
  const held = /* @__PURE__ */ new Map();
  return {
    get(key) {
      const name = nameOf(key);
      const found = held.get(name);
      if (found === void 0) return void 0;
      if (found.believedUntil < clock2.now()) {
        held.delete(name);
        return void 0;
      }
      held.delete(name);
      held.set(name, found);
      return found.entry;
    },
    put(key, record, version, believedMs) {
      const entry = { record, version, answers: /* @__PURE__ */ new Map() };
      if (limit === 0) return entry;
      const name = nameOf(key);
      const found = held.get(name);
      if (found !== void 0 && found.entry.version > version) return found.entry;
      held.delete(name);
      held.set(name, { entry, believedUntil: clock2.now() + believedMs });
      if (held.size > limit) {
        const oldest = held.keys().next();
        if (!oldest.done) held.delete(oldest.value);
      }
      return entry;
    },
    drop(key) {
      held.delete(nameOf(key));
    },
    get size() {
      return held.size;
    }
  };
}
function nameOf(key) {
  return `${key.kind}\0${key.account}\0${key.id}`;
}

// src/engine/effects.ts
var RETRY_AFTER_MS = [50, 250, 1e3, 2e3, 5e3, 15e3, 6e4];
function createEffects({ performers, store, clock: clock2, log: log2, meters }) {
  const queues = /* @__PURE__ */ new Map();
  let performing = 0;
  let stopped = false;
  let whenIdle = null;
  function run(name, queue) {
    if (queue.running || stopped) return;
    queue.running = true;
    performing += 1;
    void work(name, queue).finally(() => {
      queue.running = false;
      performing -= 1;
      if (performing === 0) whenIdle?.();
    });
  }
  async function work(name, queue) {
    for (let effect = queue.waiting[0]; effect !== void 0 && !stopped; effect = queue.waiting[0]) {
      const outcome = await tryOnce(effect);
      if (stopped && outcome === "again") return;
      if (outcome === "again") {
        waitAndRetry(name, queue, effect);
        return;
      }
      queue.tries = 0;
      queue.waiting.shift();
    }
    if (queue.waiting.length === 0) queues.delete(name);
  }
  async function tryOnce(effect) {
    try {
      const performer = performers[effect.type];
      if (performer === void 0) throw new Error(`no performer for effects of type ${effect.type}`);
      const outcome = await performer(effect);
      if (outcome === "done") await store.effectsDone([effect.effectId]);
      return outcome;
    } catch (error) {
      if (!stopped) log2.warn({ effectId: effect.effectId, type: effect.type, error: String(error) }, "effect failed");
      return "again";
    }
  }
  function waitAndRetry(name, queue, effect) {
    const waitMs = RETRY_AFTER_MS[Math.min(queue.tries, RETRY_AFTER_MS.length - 1)] ?? 0;
    queue.tries += 1;
    meters.effectRetried(effect.type);
    queue.retry = clock2.alarm(clock2.now() + waitMs, () => {
      queue.retry = null;
      run(name, queue);
    });
  }
  return {
    enqueue(effects) {
      for (const effect of effects) {
        const name = nameOf(effect);
        const queue = queues.get(name) ?? { waiting: [], tries: 0, running: false, retry: null };
        queues.set(name, queue);
        queue.waiting.push(effect);
        if (queue.retry === null) run(name, queue);
      }
    },
    hurry(record) {
      const name = nameOf(record);
      const queue = queues.get(name);
      if (queue === void 0 || queue.retry === null) return;
      queue.retry.cancel();
      queue.retry = null;
      queue.tries = 0;
      run(name, queue);
    },
    get performing() {
      return performing;
    },
    async stop() {
      stopped = true;
      for (const queue of queues.values()) queue.retry?.cancel();
      if (performing > 0) await new Promise((resolve) => whenIdle = resolve);
    }
  };
}

// src/engine/engine.ts
var ATTEMPTS = 3;
function createEngine({ store, clock: clock2, feed, cache }) {
  const turns = /* @__PURE__ */ new Map();
  let aftermath = { effects: () => {
  }, timers: () => {
  } };
  let busy = 0;
  async function read2(machine, key) {
    const held = cache.get(key);
    if (held !== void 0) return held;
    const stored = await store.load(key);
    if (stored === null) return null;
    return cache.put(key, JSON.parse(stored.body), stored.version, machine.believedMs);
  }
  async function attempt(machine, key, command, options) {
    const before = await read2(machine, key);
    const facts = await options.facts?.(before?.record ?? null) ?? null;
    const decision = machine.decide(before?.record ?? null, command, facts);
    if ("refused" in decision) return decision;
    if (decision.events.length === 0) {
      if (options.effectsDone !== void 0) await store.effectsDone(options.effectsDone);
      if (before === null) throw new Error(`${machine.kind}: nothing happened to a record that does not exist`);
      return { record: before.record, events: [] };
    }
    const change = fold(machine, before?.record ?? null, decision.events, clock2.now(), options.report ?? 0);
    const timers = changedTimers(machine, before?.record ?? null, change.record);
    const result = await store.commit(commitOf(machine, key, before?.version ?? 0, change, timers, options));
    switch (result) {
      case "written":
        break;
      case "version_moved":
      case "exclusive_taken":
        cache.drop(key);
        return "again";
      case "idempotency_key_taken":
        return { repeated: true };
    }
    cache.put(key, change.record, change.record.version, machine.believedMs);
    if (change.effects.length > 0) aftermath.effects(change.effects.map((effect) => storedEffect(key, effect)));
    if (timers !== null) aftermath.timers(timers.map((timer) => ({ ...key, ...timer })));
    feed.publish({ ...key, version: change.record.version, record: change.record, events: decision.events });
    return { record: change.record, events: decision.events };
  }
  async function inTurn(key, work) {
    const name = nameOf(key);
    const turn = (turns.get(name) ?? Promise.resolve()).then(work, work);
    turns.set(name, turn);
    busy += 1;
    try {
      return await turn;
    } finally {
      busy -= 1;
      if (turns.get(name) === turn) turns.delete(name);
    }
  }
  return {
    async execute(machine, { account, id }, command, options = {}) {
      const key = { account, kind: machine.kind, id };
      return inTurn(key, async () => {
        for (let tries = 0; tries < ATTEMPTS; tries += 1) {
          const executed = await attempt(machine, key, command, options);
          if (executed !== "again") return executed;
        }
        throw new Fault("contention", { detail: `${machine.kind} ${id}` });
      });
    },
    read: (machine, { account, id }) => read2(machine, { account, kind: machine.kind, id }),
    peek: (machine, { account, id }) => cache.get({ account, kind: machine.kind, id }),
    attach(given) {
      aftermath = given;
    },
    get busy() {
      return busy;
    }
  };
}
function fold(machine, before, events, at, report) {
  const happenings = [];
  const effects = [];
  let record = before;
  for (const event of events) {
    const happening = { event, at, report };
    record = machine.apply(record, happening);
    happenings.push({ version: record.version, happening });
    effects.push(...machine.effectsOf(event, record));
  }
  if (record === null) throw new Error(`${machine.kind}: no events to fold`);
  return { record, happenings, effects };
}
function changedTimers(machine, before, after) {
  const wanted2 = machine.timersOf(after);
  const had = before === null ? [] : machine.timersOf(before);
  const same = wanted2.length === had.length && wanted2.every((timer, index) => timer.name === had[index]?.name && timer.dueAt === had[index]?.dueAt);
  return same ? null : wanted2;
}
function commitOf(machine, key, expectedVersion, change, timers, options) {
  const last = change.happenings.at(-1);
  return {
    ...key,
    ...machine.placeOf(change.record),
    expectedVersion,
    version: change.record.version,
    body: JSON.stringify(change.record),
    at: last?.happening.at ?? 0,
    events: change.happenings.map(({ version, happening }) => ({
      version,
      at: happening.at,
      type: happening.event.type,
      body: JSON.stringify(happening)
    })),
    effects: change.effects.map(({ id, type, payload }) => ({ effectId: id, type, body: JSON.stringify(payload) })),
    effectsDone: options.effectsDone ?? [],
    timers,
    idempotency: options.idempotency ?? null
  };
}
function storedEffect(key, effect) {
  return { ...key, effectId: effect.id, type: effect.type, body: JSON.stringify(effect.payload) };
}

// src/engine/feed.ts
function createFeed() {
  const byRecord = /* @__PURE__ */ new Map();
  const all = /* @__PURE__ */ new Set();
  return {
    publish(change) {
      const listeners = byRecord.get(nameOf(change));
      if (listeners !== void 0) for (const listener of [...listeners]) listener(change);
      for (const listener of all) listener(change);
    },
    follow(key, listener) {
      const name = nameOf(key);
      const listeners = byRecord.get(name) ?? /* @__PURE__ */ new Set();
      byRecord.set(name, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) byRecord.delete(name);
      };
    },
    followAll(listener) {
      all.add(listener);
      return () => all.delete(listener);
    }
  };
}

// src/engine/recovery.ts
var PAGE = 500;
var STARTS = /* @__PURE__ */ new Set(["terminal.start", "terminal.run_report"]);
var ALL_EFFECTS = 1e6;
var PATIENCE_MS = 2e3;
async function recover(parts) {
  const { store, effects, timers, log: log2 } = parts;
  const undone = await store.undoneEffects(ALL_EFFECTS);
  await listenToAll(parts);
  const notStarted = new Set(undone.filter((effect) => STARTS.has(effect.type)).map((effect) => effect.id));
  const live = await askTerminals(parts, notStarted);
  effects.enqueue(undone);
  await timers.start();
  if (live > 0 || undone.length > 0) log2.info({ live, effects: undone.length }, "took up what was running");
}
async function listenToAll({ clock: clock2, sink, drivers }) {
  const heard = Promise.all(drivers.map((driver) => driver.listen(sink)));
  await new Promise((resolve, reject) => {
    const patience = clock2.alarm(clock2.now() + PATIENCE_MS, resolve);
    heard.then(() => resolve(), reject).finally(() => patience.cancel());
  });
}
async function askTerminals(parts, notStarted) {
  let count = 0;
  for (const kind of [TERMINAL_TRANSACTION.kind, REPORT.kind]) {
    let after = 0;
    for (; ; ) {
      const page2 = await parts.store.all(kind, { live: true, after, limit: PAGE });
      for (const stored of page2) {
        count += 1;
        after = stored.position;
        if (!notStarted.has(stored.id)) await askTerminal(parts, stored);
      }
      if (page2.length < PAGE) break;
    }
  }
  return count;
}
async function askTerminal({ sink, log: log2 }, { id, account, body }) {
  const { tid } = JSON.parse(body);
  try {
    await sink.reconnected(account, tid);
  } catch (error) {
    log2.warn({ requestId: id, tid, error: String(error) }, "terminal could not be asked");
  }
}

// src/engine/reports.ts
function createReports({
  engine,
  terminals,
  log: log2,
  limitMs
}) {
  async function factsFor({ account, tid }) {
    const [terminal, live] = await Promise.all([terminals.connected(account, tid), terminals.liveOn(account, tid)]);
    return { available: terminal !== null, busy: live !== null, limitMs };
  }
  return {
    start: (order) => {
      const { account, requestId, idempotency } = order;
      return engine.execute(
        REPORT,
        { account, id: requestId },
        { type: "request", requestId, merchantAccount: account, tid: order.tid, reportType: order.reportType },
        { facts: () => factsFor(order), ...idempotency === void 0 ? {} : { idempotency } }
      );
    },
    async receive({ account, requestId, sequence, reports }) {
      const command = { type: "terminal_reports", sequence, reports };
      const executed = await engine.execute(REPORT, { account, id: requestId }, command, { report: sequence });
      if ("refused" in executed) log2.warn({ requestId, sequence }, "progress of an unknown report");
    },
    async forgotten(account, requestId) {
      await engine.execute(REPORT, { account, id: requestId }, { type: "terminal_forgot" });
    },
    performers: {
      async "terminal.run_report"(effect) {
        const entry = await engine.read(REPORT, effect);
        if (entry === null || entry.record.progress === "finished") return "done";
        const terminal = await terminals.installed(effect.account, entry.record.tid);
        if (terminal === null) return "done";
        await terminals.fleet.driverOf(terminal).runReport({ effectId: effect.effectId, terminal, report: entry.record });
        return "done";
      }
    },
    async fire({ account, id }) {
      const executed = await engine.execute(REPORT, { account, id }, { type: "time_is_up" });
      return "events" in executed && executed.events.length > 0;
    }
  };
}

// src/engine/sink.ts
function createSink({ terminals, transactions, reports, effects }) {
  return {
    report: transactions.receive,
    reportProgress: reports.receive,
    async reconnected(account, tid) {
      const live = await terminals.liveOn(account, tid);
      const terminal = live === null ? null : await terminals.installed(account, tid);
      if (live === null || terminal === null) return;
      const kind = live.kind === "report" ? REPORT.kind : TERMINAL_TRANSACTION.kind;
      const { requestId } = live.kind === "report" ? live.report : live.transaction;
      const memory = await terminals.fleet.driverOf(terminal).lastTransaction(terminal, requestId);
      if (memory.state === "forgotten")
        await (live.kind === "report" ? reports : transactions).forgotten(account, requestId);
      effects.hurry({ account, kind, id: requestId });
    }
  };
}

// src/engine/terminals.ts
function createTerminals({
  engine,
  store,
  fleet
}) {
  async function installed2(account, tid) {
    const entry = await engine.read(TERMINAL, { account, id: tid });
    return entry === null || entry.record.status === "removed" ? null : entry.record;
  }
  return {
    fleet,
    installed: installed2,
    async connected(account, tid) {
      const terminal = await installed2(account, tid);
      return terminal === null || fleet.presence(terminal) === null ? null : terminal;
    },
    async liveOn(account, tid) {
      const holder = await store.holderOf(terminalClaim(account, tid));
      switch (holder?.kind) {
        case TERMINAL_TRANSACTION.kind:
          return { kind: "transaction", transaction: JSON.parse(holder.body) };
        case REPORT.kind:
          return { kind: "report", report: JSON.parse(holder.body) };
        default:
          return null;
      }
    }
  };
}

// src/engine/timers.ts
var BATCH2 = 200;
var STORE_RETRY_MS = 1e3;
function createTimers({ store, clock: clock2, log: log2, fire }) {
  const idle = /* @__PURE__ */ new Set();
  let alarm = null;
  let alarmAt = Number.POSITIVE_INFINITY;
  let started3 = false;
  let sweeping = null;
  function wakeAt(at) {
    if (!started3 || at >= alarmAt) return;
    alarm?.cancel();
    alarmAt = at;
    alarm = clock2.alarm(at, () => {
      alarmAt = Number.POSITIVE_INFINITY;
      alarm = null;
      void sweep();
    });
  }
  function sweep() {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = null;
    });
    return sweeping;
  }
  async function sweepOnce() {
    try {
      while (started3) {
        const due = await waiting(clock2.now(), BATCH2);
        if (due.length === 0) break;
        await Promise.all(due.map(fireOne));
      }
      const [next2] = started3 ? await waiting(Number.MAX_SAFE_INTEGER, 1) : [];
      if (next2 !== void 0) wakeAt(Math.max(next2.dueAt, clock2.now() + 1));
    } catch (error) {
      log2.error({ error: String(error) }, "timers could not be read");
      wakeAt(clock2.now() + STORE_RETRY_MS);
    }
  }
  async function waiting(until, limit) {
    const timers = await store.dueTimers(until, limit + idle.size);
    return timers.filter((timer) => !idle.has(nameOfTimer(timer)));
  }
  async function fireOne(timer) {
    if (await fire(timer)) return;
    idle.add(nameOfTimer(timer));
    log2.error({ kind: timer.kind, id: timer.id, timer: timer.name }, "a timer changed nothing");
  }
  return {
    async start() {
      started3 = true;
      await sweep();
    },
    set(timers) {
      for (const timer of timers) wakeAt(timer.dueAt);
    },
    get firing() {
      return sweeping === null ? 0 : 1;
    },
    async stop() {
      started3 = false;
      alarm?.cancel();
      await sweeping;
    }
  };
}
function nameOfTimer(timer) {
  return `${timer.kind}\0${timer.account}\0${timer.id}\0${timer.name}\0${timer.dueAt}`;
}

// src/engine/acquiring.ts
function acquiringPerformers(parts) {
  return {
    "acquirer.authorise": (effect) => performAuthorise(parts, effect),
    "acquirer.reverse": (effect) => performReverse(parts, effect),
    "transaction.reconcile": (effect) => performReconcile(parts, effect)
  };
}
async function wanted(engine, effect) {
  const entry = await engine.read(TERMINAL_TRANSACTION, effect);
  const type = effect.type;
  return entry !== null && stillWanted(type, entry.record) ? entry.record : null;
}
async function performAuthorise({ engine, acquirer }, effect) {
  const transaction = await wanted(engine, effect);
  const payload = JSON.parse(effect.body);
  if (transaction === null || payload.type !== "acquirer.authorise") return "done";
  const order = {
    orderId: effect.effectId,
    account: effect.account,
    amountMinor: payload.amountMinor,
    currency: transaction.request.currency,
    cardToken: payload.cardToken
  };
  const answer = await ask(acquirer, transaction.request, order);
  if (answer.answer === "unknown") {
    await engine.execute(TERMINAL_TRANSACTION, effect, {
      type: "acquirer_reports",
      reports: [{ type: "authorisation_unanswered" }]
    });
    return "again";
  }
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: "acquirer_reports", reports: [reportOf(answer)] },
    { effectsDone: [effect.effectId] }
  );
  return "recorded";
}
function ask(acquirer, request, order) {
  switch (request.transactionType) {
    case "SALE":
      return acquirer.authorise(order, "charge");
    case "PRE_AUTH":
      return acquirer.authorise(order, "hold");
    case "COMPLETION":
      return acquirer.capture({
        ...order,
        authCode: request.authCode ?? "",
        preAuthorisedTotalMinor: request.preAuthorisedTotalMinor
      });
    case "REFUND":
      return acquirer.refund(order);
    case "ACCOUNT_VERIFICATION":
      return acquirer.verify(order);
    case "DUPLICATE":
      throw new Error("a duplicate moves no money");
  }
}
function reportOf(answer) {
  return answer.answer === "approved" ? { type: "authorisation_approved", authCode: answer.authCode, reference: answer.reference } : { type: "authorisation_declined", reason: answer.reason, responseCode: answer.responseCode };
}
async function performReverse({ engine, acquirer }, effect) {
  const transaction = await wanted(engine, effect);
  if (transaction === null || transaction.authorisationId === null) return "done";
  const answer = await acquirer.reverse({ orderId: transaction.authorisationId, account: effect.account });
  if (answer === "unknown") return "again";
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: "acquirer_reports", reports: [{ type: "reversed" }] },
    { effectsDone: [effect.effectId] }
  );
  return "recorded";
}
async function performReconcile({ engine, fleet }, effect) {
  const transaction = await wanted(engine, effect);
  if (transaction === null) return "done";
  const terminal = await engine.read(TERMINAL, { account: effect.account, id: transaction.tid });
  const memory = terminal === null ? { state: "forgotten" } : await fleet.driverOf(terminal.record).lastTransaction(terminal.record, transaction.requestId);
  if (memory.state === "running") return "again";
  const delivered = memory.state === "ended" && memory.successful;
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    {
      type: "acquirer_reports",
      reports: [delivered ? { type: "authorisation_confirmed" } : { type: "reversal_requested", why: "not_delivered" }]
    },
    { effectsDone: [effect.effectId] }
  );
  return "recorded";
}

// src/engine/transactions.ts
function createTransactions(parts) {
  const { engine, terminals, log: log2 } = parts;
  const { fleet } = terminals;
  const execute = (key, command, options = {}) => engine.execute(TERMINAL_TRANSACTION, key, command, options);
  async function startFacts({ account, tid, request }) {
    const [terminal, live] = await Promise.all([terminals.installed(account, tid), terminals.liveOn(account, tid)]);
    const presence = terminal === null ? null : fleet.presence(terminal);
    return {
      terminal: terminal === null || presence === null ? null : { authorisedBy: fleet.driverOf(terminal).authorisedBy, paperOut: presence.paperOut },
      live: live === null ? null : claimOf(live),
      limits: limitsFor(request, parts.limits)
    };
  }
  const onTerminal = (perform) => async (effect) => {
    const transaction = await wanted(engine, effect);
    const terminal = transaction === null ? null : await terminals.installed(effect.account, transaction.tid);
    if (transaction === null || terminal === null) return "done";
    const payload = JSON.parse(effect.body);
    await perform(fleet.driverOf(terminal), { effectId: effect.effectId, terminal, transaction }, payload);
    return "done";
  };
  const performers = {
    "terminal.start": onTerminal((driver, call) => driver.start(call)),
    "terminal.cancel": onTerminal((driver, call) => driver.cancel(call)),
    "terminal.answer_authorisation": onTerminal((driver, call) => driver.answerAuthorisation(call)),
    "terminal.answer_signature": onTerminal(async (driver, call, payload) => {
      if (payload.type === "terminal.answer_signature") await driver.answerSignature(call, payload);
    }),
    ...acquiringPerformers({ engine, fleet, acquirer: parts.acquirer })
  };
  return {
    start: (order) => engine.execute(
      TERMINAL_TRANSACTION,
      { account: order.account, id: order.requestId },
      { ...order, type: "start", merchantAccount: order.account },
      {
        facts: () => startFacts(order),
        ...order.idempotency === void 0 ? {} : { idempotency: order.idempotency }
      }
    ),
    execute,
    connected: terminals.connected,
    liveOn: terminals.liveOn,
    receive: (delivery) => receive(execute, log2, delivery),
    async forgotten(account, requestId) {
      await execute({ account, id: requestId }, { type: "terminal_forgot" });
    },
    performers,
    async fire({ account, id, name }) {
      const timer = name === "signature" ? "signature" : "limit";
      const executed = await execute({ account, id }, { type: "time_is_up", timer });
      return "events" in executed && executed.events.length > 0;
    }
  };
}
function claimOf(live) {
  return live.kind === "report" ? { requestId: live.report.requestId, awaitsSignature: false } : {
    requestId: live.transaction.requestId,
    awaitsSignature: live.transaction.progress === "awaiting_signature"
  };
}
function limitsFor(request, limits) {
  return {
    transactionMs: request.cardholderNotPresent ? limits.keyedMs : limits.transactionMs,
    signatureMs: limits.signatureMs
  };
}
async function receive(execute, log2, delivery) {
  const { account, requestId, sequence, reports } = delivery;
  const command = { type: "terminal_reports", sequence, reports };
  const executed = await execute({ account, id: requestId }, command, { report: sequence });
  if ("refused" in executed) log2.warn({ requestId, sequence }, "report for an unknown transaction");
  else if ("events" in executed && executed.events.length === 0)
    log2.info({ requestId, sequence, reports: reports.map((report) => report.type) }, "late or repeated report dropped");
}

// src/terminals/fleet.ts
function createFleet(drivers) {
  const byName = new Map(drivers.map((driver) => [driver.name, driver]));
  if (byName.size !== drivers.length) throw new Error("two terminal drivers bear the same name");
  return {
    drivers,
    driverOf(terminal) {
      const driver = byName.get(terminal.driver);
      if (driver === void 0) throw new Error(`no driver named ${terminal.driver} is plugged in`);
      return driver;
    },
    presence: (terminal) => byName.get(terminal.driver)?.presence(terminal) ?? null
  };
}

// src/terminals/simulated/flow.ts
var PERSON_MS = 6e4;
var DEAD_MS = 6e5;
var WAITS = {
  gratuity: { limitMs: PERSON_MS, leadsTo: null },
  card: { limitMs: PERSON_MS, leadsTo: "given_up" },
  pin: { limitMs: PERSON_MS, leadsTo: "given_up" },
  removal: { limitMs: DEAD_MS, leadsTo: null },
  authorisation: { limitMs: DEAD_MS, leadsTo: "failed" },
  signature: { limitMs: DEAD_MS, leadsTo: "undone" },
  nothing: { limitMs: DEAD_MS, leadsTo: null }
};
var prompt = (prompted) => ({ do: "say", report: { type: "prompted", prompt: prompted } });
var link = (stage) => ({ do: "say", report: { type: "linking", stage } });
var show = (outcome) => ({ do: "say", report: { type: "outcome_shown", outcome } });
var wait = (what) => ({ do: "wait", for: what });
var end = (result) => ({ do: "end", result });
var endUnheard = (result) => ({ do: "end_unheard", result });
var READ_CARD = { do: "read_card" };
var AUTHORISE = { do: "authorise" };
var PAPER_OUT = { do: "say", report: { type: "paper_ran_out" }, only: "printing" };
var SIGNATURE_APPLIED = { do: "say", report: { type: "signature_applied" } };
var SIGNATURE_NOT_APPLIED = { do: "say", report: { type: "signature_not_applied" } };
var ASK_PIN = [{ do: "say", report: { type: "pin_requested" }, only: "pin" }, wait("pin")];
var REMOVE_CARD = [
  { do: "say", report: { type: "card_removal_prompted" }, only: "card_in_slot" },
  wait("removal")
];
var PLANS = {
  started: [wait("gratuity"), prompt("PRESENT_CARD"), wait("card")],
  started_without_card: [wait("card")],
  duplicate_started: [{ do: "repeat_last" }],
  card_presented: [READ_CARD, ...ASK_PIN, link("CONNECTING"), AUTHORISE],
  card_presented_for_refund: [READ_CARD, ...ASK_PIN, ...REMOVE_CARD, link("CONNECTING"), AUTHORISE],
  card_expired: [READ_CARD, show("CARD_EXPIRED"), end("UNSUCCESSFUL")],
  card_not_taken: [READ_CARD, show("CARD_NOT_SUPPORTED"), end("UNSUCCESSFUL")],
  card_pulled_out: [show("CARD_ERROR"), end("UNSUCCESSFUL")],
  pin_blocked: [show("DECLINED_BY_CARD"), end("DECLINED")],
  approved: [show("APPROVED"), end("SUCCESSFUL")],
  approved_to_be_signed: [{ do: "ask_signature" }],
  declined: [show("DECLINED"), end("DECLINED")],
  signature_accepted: [SIGNATURE_APPLIED, show("APPROVED"), end("SUCCESSFUL")],
  signature_refused: [SIGNATURE_APPLIED, link("CONNECTING"), link("CONNECTION_MADE"), end("VOID")],
  signature_timed_out: [show("APPROVED"), end("SUCCESSFUL")],
  cancelled: [end("CANCELLED")],
  given_up: [end("CANCELLED")],
  failed: [show("PROCESSING_ERROR"), end("UNSUCCESSFUL")],
  undone: [link("CONNECTING"), link("CONNECTION_MADE"), end("VOID")]
};

// src/simulated-world/card-token.ts
var ORDINARY_CONDUCT = { answer: null, slowMs: 0, lateMs: 0, unheard: false };
function tokenOf(card, conduct) {
  const { answer, slowMs, lateMs, unheard } = conduct;
  return [
    card,
    ...answer === null ? [] : [`answer=${answer}`],
    ...slowMs === 0 ? [] : [`slow=${slowMs}`],
    ...lateMs === 0 ? [] : [`late=${lateMs}`],
    ...unheard ? ["unheard"] : []
  ].join(";");
}

// src/terminals/simulated/scenario.ts
var ORDINARY2 = {
  person: "script",
  card: "sim-visa-debit",
  reading: "ICC_CHIP",
  check: "PIN",
  plans: {},
  startsWithoutPaper: false,
  leavesCard: false,
  acquirer: ORDINARY_CONDUCT
};

// src/terminals/simulated/scenarios.ts
var fromCard = (plan) => ({ card_presented: plan, card_presented_for_refund: plan });
var firstTry = (mishap) => ({
  started: [wait("gratuity"), prompt("PRESENT_CARD"), prompt(mishap), prompt("PRESENT_CARD"), wait("card")]
});
var UNDO_AT_ONCE = [link("CONNECTING"), link("CONNECTION_MADE"), end("VOID")];
var PLANS_BY_OUTCOME = {
  successful: {},
  /** Row 17. */
  unsuccessful: fromCard([
    READ_CARD,
    ...ASK_PIN,
    link("CONNECTING"),
    link("RETRYING"),
    show("PROCESSING_ERROR"),
    end("UNSUCCESSFUL")
  ]),
  /** Approved, and then undone by the terminal itself, over the line as in row 5. */
  void: { approved: UNDO_AT_ONCE, approved_to_be_signed: UNDO_AT_ONCE },
  /** Row 15: nothing more is heard, and the gateway's limit ends it. */
  timed_out: fromCard([READ_CARD, ...ASK_PIN, wait("nothing"), end("UNSUCCESSFUL")]),
  /** Row 13, after the PIN prompt. */
  cancelled: fromCard([READ_CARD, ...ASK_PIN, end("CANCELLED")])
};
var BY_HAND = {
  ...ORDINARY2,
  person: "keys",
  plans: {
    approved: [show("APPROVED"), ...REMOVE_CARD, end("SUCCESSFUL")],
    declined: [show("DECLINED"), ...REMOVE_CARD, end("DECLINED")],
    signature_accepted: [SIGNATURE_APPLIED, show("APPROVED"), ...REMOVE_CARD, end("SUCCESSFUL")],
    signature_timed_out: [show("APPROVED"), ...REMOVE_CARD, end("SUCCESSFUL")]
  }
};
var CONTACTLESS = { reading: "CONTACTLESS", check: "NONE" };
var NO_CHECK = { check: "NONE" };
var SIGNED = { check: "SIGNATURE" };
var DECLINED_CARD = { ...ORDINARY2, card: "sim-visa-declined" };
var SIGNED_CHIP = { ...ORDINARY2, ...SIGNED, card: "sim-visa-signature" };
var SCENARIOS = {
  // Short names for what tills are tested with most.
  approved: ORDINARY2,
  declined: DECLINED_CARD,
  unsuccessful: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.unsuccessful },
  cancelled: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.cancelled },
  timed_out: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.timed_out },
  void: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.void },
  signature: SIGNED_CHIP,
  /** Rows 1, 18 and 20 to 28, as the request and the terminal's settings ask. */
  chip_pin_approved: ORDINARY2,
  contactless_approved: { ...ORDINARY2, ...CONTACTLESS },
  // row 2
  device_approved: { ...ORDINARY2, card: "sim-visa-phone", reading: "CONTACTLESS", check: "DEVICE" },
  // row 3
  chip_signature: SIGNED_CHIP,
  // rows 4 to 6
  swipe_signature: { ...ORDINARY2, ...SIGNED, reading: "SWIPED" },
  // rows 4 to 6
  /** Row 7: the till's decision came while the time-out was being handled. */
  signature_decision_too_late: {
    ...SIGNED_CHIP,
    plans: { signature_timed_out: [SIGNATURE_NOT_APPLIED, show("APPROVED"), end("SUCCESSFUL")] }
  },
  chip_pin_declined: DECLINED_CARD,
  // row 8
  insufficient_funds: { ...ORDINARY2, card: "sim-visa-insufficient-funds" },
  // row 8
  lost_or_stolen: { ...ORDINARY2, card: "sim-visa-lost-or-stolen" },
  // row 8
  referred: { ...ORDINARY2, card: "sim-visa-referred" },
  // row 8
  /** Row 9. */
  declined_by_card: {
    ...ORDINARY2,
    plans: fromCard([READ_CARD, ...ASK_PIN, show("DECLINED_BY_CARD"), end("DECLINED")])
  },
  /** The PIN is typed wrongly first. */
  pin_wrong_once: { ...ORDINARY2, plans: fromCard([READ_CARD, ...ASK_PIN, ...ASK_PIN, link("CONNECTING"), AUTHORISE]) },
  cancelled_at_card: { ...ORDINARY2, plans: { started: [prompt("PRESENT_CARD"), end("CANCELLED")] } },
  // row 13
  cancelled_at_pin: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.cancelled },
  // row 13
  /** Rows 10 and 14: nobody is there. A person may still press the keys. */
  nobody_presents_card: BY_HAND,
  silent_after_pin: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.timed_out },
  // row 15
  /** Row 15: the card is left in although the prompt asks for it. */
  card_left_in: {
    ...ORDINARY2,
    plans: { approved: [show("APPROVED"), ...REMOVE_CARD, end("SUCCESSFUL")] },
    leavesCard: true
  },
  /** The approval arrives, and the terminal hangs before it has shown it. The money has to be given back. */
  silent_after_approval: { ...ORDINARY2, plans: { approved: [wait("nothing"), endUnheard("UNSUCCESSFUL")] } },
  /** The customer leaves with the goods, and the till never hears of it. The money has to stay. */
  completed_unheard: { ...ORDINARY2, plans: { approved: [endUnheard("SUCCESSFUL")] } },
  /** Row 16. */
  card_pulled_out: {
    ...ORDINARY2,
    ...NO_CHECK,
    plans: fromCard([READ_CARD, show("CARD_ERROR"), end("UNSUCCESSFUL")])
  },
  /** The line fails once and is up at the second try; every stage of it is told. */
  line_fails_once: {
    ...ORDINARY2,
    plans: {
      ...fromCard([READ_CARD, ...ASK_PIN, link("CONNECTING"), link("RETRYING"), link("CONNECTING"), AUTHORISE]),
      approved: [link("REQUEST_SENT"), show("APPROVED"), end("SUCCESSFUL")],
      declined: [link("REQUEST_SENT"), show("DECLINED"), end("DECLINED")]
    }
  },
  technical_failure: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.unsuccessful },
  // row 17
  voided: { ...ORDINARY2, plans: PLANS_BY_OUTCOME.void },
  keyed: { ...ORDINARY2, ...NO_CHECK, reading: "KEYED" },
  // row 19
  removal_prompted: {
    ...ORDINARY2,
    plans: {
      approved: [show("APPROVED"), ...REMOVE_CARD, end("SUCCESSFUL")],
      declined: [show("DECLINED"), ...REMOVE_CARD, end("DECLINED")]
    }
  },
  cashback_prompted: {
    ...ORDINARY2,
    plans: { started: [wait("gratuity"), prompt("ENTER_CASHBACK"), prompt("PRESENT_CARD"), wait("card")] }
  },
  bad_swipe: { ...ORDINARY2, ...SIGNED, reading: "SWIPED", plans: firstTry("BAD_SWIPE") },
  // row 29
  present_again: { ...ORDINARY2, ...CONTACTLESS, plans: firstTry("RE_PRESENT_CARD") },
  // row 29
  two_cards: { ...ORDINARY2, ...CONTACTLESS, plans: firstTry("PRESENT_ONLY_ONE_CARD") },
  // row 29
  insert_instead: { ...ORDINARY2, plans: firstTry("INSERT_CARD") },
  // row 29
  card_expired: { ...ORDINARY2, card: "sim-visa-expired" },
  // row 30
  card_not_supported: { ...ORDINARY2, card: "sim-jcb" },
  // row 30
  paper_out_at_start: { ...ORDINARY2, startsWithoutPaper: true },
  // row 31
  /** Row 31, where printing starts. */
  paper_runs_out: { ...ORDINARY2, plans: { approved: [PAPER_OUT, show("APPROVED"), end("SUCCESSFUL")] } }
};
var SCENARIO_NAMES = Object.keys(SCENARIOS);

// src/terminals/simulated/codes.ts
var OUTCOMES = {
  S: "successful",
  D: "declined",
  U: "unsuccessful",
  V: "void",
  T: "timed_out",
  C: "cancelled"
};
var READINGS = { I: "ICC_CHIP", C: "CONTACTLESS", S: "SWIPED", K: "KEYED" };
var CHECKS = { P: "PIN", D: "DEVICE", S: "SIGNATURE", N: "NONE" };
var CODE = /([SDUVTC])([ICSK])([PDSN])\d(MA|VA)?$/;
var PREFIX = "VCM";
var CARDS = {
  VA: { plain: "sim-visa-debit", phone: "sim-visa-phone", declined: "sim-visa-declined" },
  MA: { plain: "sim-mastercard-debit", phone: "sim-mastercard-phone", declined: "sim-mastercard-declined" }
};
function scenarioOf(tid) {
  if (!tid.startsWith(PREFIX)) return SCENARIOS.nobody_presents_card;
  const [, outcomeLetter, readingLetter, checkLetter, scheme] = CODE.exec(tid.slice(PREFIX.length)) ?? [];
  if (outcomeLetter === void 0 || readingLetter === void 0 || checkLetter === void 0)
    return SCENARIOS.chip_pin_approved;
  const outcome = OUTCOMES[outcomeLetter];
  const reading = READINGS[readingLetter];
  const check2 = checkFor(reading, CHECKS[checkLetter]);
  return {
    ...SCENARIOS.chip_pin_approved,
    card: cardFor(outcome, check2, scheme ?? "VA"),
    reading,
    check: check2,
    plans: outcome === "declined" ? {} : PLANS_BY_OUTCOME[outcome]
  };
}
function checkFor(reading, check2) {
  if (reading === "KEYED") return "NONE";
  return reading === "CONTACTLESS" && check2 === "PIN" ? "DEVICE" : check2;
}
function cardFor(outcome, check2, scheme) {
  if (outcome === "declined") return CARDS[scheme].declined;
  return check2 === "DEVICE" ? CARDS[scheme].phone : CARDS[scheme].plain;
}

// src/domain/totals.ts
var NO_BREAKDOWN = { salesMinor: 0, salesCount: 0, refundsMinor: 0, refundsCount: 0 };
var NO_WINDOW = { totals: NO_BREAKDOWN, byIssuer: {}, firstNumber: "0000", lastNumber: "0000" };
var NO_TOTALS = { session: freshSession(null), byAcquirer: {} };
function freshSession(since) {
  return {
    ...NO_BREAKDOWN,
    since,
    cashbackMinor: 0,
    cashbackCount: 0,
    gratuityMinor: 0,
    gratuityCount: 0,
    byIssuer: {},
    byWaiter: {}
  };
}
function counted(totals, transaction) {
  const kind = kindOf(transaction);
  if (kind === null) return totals;
  const add = (sum = NO_BREAKDOWN) => kind === "sale" ? { ...sum, salesMinor: sum.salesMinor + transaction.totalMinor, salesCount: sum.salesCount + 1 } : { ...sum, refundsMinor: sum.refundsMinor + transaction.totalMinor, refundsCount: sum.refundsCount + 1 };
  const { session } = totals;
  const { issuer, acquirer, waiter } = transaction;
  const banking = totals.byAcquirer[acquirer] ?? { current: NO_WINDOW, previous: NO_WINDOW };
  const { current } = banking;
  return {
    session: {
      ...session,
      ...add(session),
      cashbackMinor: session.cashbackMinor + transaction.cashbackMinor,
      cashbackCount: session.cashbackCount + (transaction.cashbackMinor > 0 ? 1 : 0),
      gratuityMinor: session.gratuityMinor + transaction.gratuityMinor,
      gratuityCount: session.gratuityCount + (transaction.gratuityMinor > 0 ? 1 : 0),
      byIssuer: { ...session.byIssuer, [issuer]: add(session.byIssuer[issuer]) },
      byWaiter: waiter === "" ? session.byWaiter : { ...session.byWaiter, [waiter]: add(session.byWaiter[waiter]) }
    },
    byAcquirer: {
      ...totals.byAcquirer,
      [acquirer]: {
        ...banking,
        current: {
          totals: add(current.totals),
          byIssuer: { ...current.byIssuer, [issuer]: add(current.byIssuer[issuer]) },
          firstNumber: countOf(current) === 0 ? transaction.transactionNumber : current.firstNumber,
          lastNumber: transaction.transactionNumber
        }
      }
    }
  };
}
function kindOf({ transactionType, result }) {
  if (result !== "SUCCESSFUL") return null;
  switch (transactionType) {
    case "SALE":
    case "COMPLETION":
      return "sale";
    case "REFUND":
      return "refund";
    case "PRE_AUTH":
    case "ACCOUNT_VERIFICATION":
    case "DUPLICATE":
      return null;
  }
}
function countOf(window) {
  return window.totals.salesCount + window.totals.refundsCount;
}
function sessionReset(totals, at) {
  return { ...totals, session: freshSession(at) };
}
function bankingReset(totals) {
  const moved = Object.entries(totals.byAcquirer).map(
    ([acquirer, banking]) => [acquirer, { previous: banking.current, current: NO_WINDOW }]
  );
  return { ...totals, byAcquirer: Object.fromEntries(moved) };
}

// src/terminals/simulated/device.ts
var MOST_PAST = 50;
function freshDevice(account, tid) {
  return {
    account,
    tid,
    connected: true,
    paperOut: false,
    scenarios: [],
    counted: 0,
    running: null,
    past: [],
    last: null,
    outbox: [],
    report: null,
    totals: NO_TOTALS,
    reportOutbox: []
  };
}
function freshRunning(requestId, request, setup, scenario, effectId) {
  return {
    requestId,
    request,
    setup,
    scenario,
    waitsFor: null,
    sequence: 0,
    performed: [effectId],
    showing: null,
    presented: null,
    cardRead: false,
    cardInSlot: false,
    pinAsked: false,
    wrongPins: 0,
    failedInserts: 0,
    amounts: { baseMinor: request.amountMinor, cashbackMinor: 0, gratuityMinor: 0 },
    messages: [],
    authCode: "",
    approvedShown: false,
    transactionId: "",
    transactionNumber: ""
  };
}
function withPast(state, past) {
  return { ...state, past: [past, ...state.past].slice(0, MOST_PAST) };
}

// src/terminals/simulated/card-reader.ts
var CONTACTLESS_LIMIT_MINOR = 1e4;
var INSERTS_BEFORE_SWIPE = 3;
function troubleWith(token, at) {
  const card = testCardOf(token);
  if (card === null || !card.taken) return "card_not_taken";
  const [month = "", year = ""] = card.dateOfExpiry.split("/");
  return `20${year}-${month}` < new Date(at).toISOString().slice(0, 7) ? "card_expired" : null;
}
function checkFor2(request, reading, wanted2) {
  if (request.cardholderNotPresent || reading === "KEYED") return "NONE";
  return request.transactionType === "REFUND" && wanted2 !== "SIGNATURE" ? "NONE" : wanted2;
}
function checkByHand(card, request, reading) {
  switch (reading) {
    case "ICC_CHIP":
      return card.pin === null || request.transactionType === "REFUND" ? "SIGNATURE" : "PIN";
    case "CONTACTLESS":
      return card.device ? "DEVICE" : "NONE";
    case "SWIPED":
      return "SIGNATURE";
    case "KEYED":
      return "NONE";
  }
}
function cardDetailsOf(running) {
  const { presented } = running;
  const card = presented === null || !running.cardRead ? null : testCardOf(presented.token);
  if (presented === null || card === null) return NO_CARD;
  const byChip = presented.reading === "ICC_CHIP" || presented.reading === "CONTACTLESS";
  return {
    paymentMethod: presented.reading,
    cardholderVerificationMethod: verificationSoFar(presented.check, running.pinAsked),
    primaryAccountNumber: maskOf(card.number),
    primaryAccountNumberSequence: byChip ? card.sequence : "",
    applicationId: byChip ? card.applicationId : "",
    applicationLabel: byChip ? card.applicationLabel : "",
    cardSchemeName: card.cardSchemeName,
    dateOfExpiry: card.dateOfExpiry,
    dateOfStart: presented.reading === "KEYED" ? "" : card.dateOfStart
  };
}
function verificationSoFar(check2, pinAsked) {
  return check2 === "PIN" && !pinAsked ? "NONE" : check2;
}

// src/terminals/simulated/paper.ts
var SEPARATOR = { value: "", type: "LINE_SEPARATOR_SINGLE" };
var TICKET_FEED = { value: "", type: "TICKET_FEED" };
function row(left, right, format) {
  const blanks = RECEIPT_COLUMNS - left.length - right.length;
  if (blanks < 1) return [...text(left, format), ...text(right, format)];
  return text(left + " ".repeat(blanks) + right, format);
}
function text(value, format) {
  const lines = [];
  let rest = value.trim();
  while (rest.length > RECEIPT_COLUMNS) {
    const blank = rest.lastIndexOf(" ", RECEIPT_COLUMNS);
    const cut = blank > 0 ? blank : RECEIPT_COLUMNS;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  if (rest !== "") lines.push(rest);
  return lines.map((line) => ({ value: line, type: "TEXT", ...format === void 0 ? {} : { format } }));
}
var CLOCKS = /* @__PURE__ */ new Map();
function siteTime(at, timeZone) {
  const known = CLOCKS.get(timeZone);
  const clock2 = known ?? new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "medium" });
  if (known === void 0) CLOCKS.set(timeZone, clock2);
  const [date = "", time = ""] = clock2.format(at).split(", ");
  return { date, time };
}

// src/terminals/simulated/receipt-printer.ts
var READ_AS = {
  UNKNOWN: "",
  KEYED: "KEYED",
  SWIPED: "SWIPED",
  ICC_CHIP: "ICC CHIP",
  CONTACTLESS: "CONTACTLESS"
};
var VERIFIED_AS = {
  UNKNOWN: "",
  NONE: "NO VERIFICATION",
  PIN: "PIN VERIFIED",
  SIGNATURE: "VERIFIED BY SIGNATURE",
  DEVICE: "VERIFIED ON DEVICE"
};
var TYPE_AS = {
  SALE: "SALE",
  REFUND: "REFUND",
  PRE_AUTH: "PRE-AUTHORISATION",
  COMPLETION: "COMPLETION",
  ACCOUNT_VERIFICATION: "ACCOUNT VERIFICATION"
};
var EMPTY = { value: "", type: "CARRIAGE_RETURN" };
function receiptsOf(printout) {
  if (printout.card.paymentMethod === "UNKNOWN") return NO_RECEIPTS;
  return {
    MERCHANT: copyOf(printout, "MERCHANT"),
    CUSTOMER: printout.result !== null && printout.customerCopy ? copyOf(printout, "CUSTOMER") : []
  };
}
function markedDuplicate(receipts) {
  const marked = (lines) => lines.length === 0 ? [] : [...text("** DUPLICATE **", ["BOLD"]), ...lines];
  return { MERCHANT: marked(receipts.MERCHANT), CUSTOMER: marked(receipts.CUSTOMER) };
}
function copyOf(printout, copy) {
  return [
    ...headOf(printout, copy),
    SEPARATOR,
    ...cardOf(printout.card),
    SEPARATOR,
    ...amountsOf(printout),
    SEPARATOR,
    ...footOf(printout, copy),
    TICKET_FEED
  ];
}
function headOf({ shop, tid, at }, copy) {
  const { date, time } = siteTime(at, shop.timeZone);
  return [
    ...text(shop.name, ["BOLD"]),
    ...text(shop.address),
    ...text(`${copy} COPY`),
    ...row(date, time),
    ...row("TERMINAL", tid),
    ...row("MERCHANT", shop.merchantNumber.replace(/.(?=.{4})/g, "*"))
  ];
}
function cardOf(card) {
  return [
    ...text(card.cardSchemeName),
    ...card.applicationId === "" ? [] : row("AID", card.applicationId),
    ...row("CARD", card.primaryAccountNumber),
    ...text(READ_AS[card.paymentMethod])
  ];
}
function amountsOf({ transactionType, currency, amounts }) {
  const money = (amountMinor) => `${currency} ${decimalOf(amountMinor)}`;
  return [
    ...text(TYPE_AS[transactionType]),
    ...row("AMOUNT", money(amounts.baseMinor)),
    ...amounts.gratuityMinor === 0 ? [] : row("GRATUITY", money(amounts.gratuityMinor)),
    ...amounts.cashbackMinor === 0 ? [] : row("CASHBACK", money(amounts.cashbackMinor)),
    ...row("TOTAL", money(totalOf(amounts)), ["BOLD", "DOUBLE_HEIGHT"])
  ];
}
function footOf(printout, copy) {
  const { card, authCode, transactionNumber } = printout;
  return [
    ...printout.result === null || printout.result === "SUCCESSFUL" ? checkOf(card, copy) : [],
    ...outcomeOf(printout.result),
    ...authCode === "" ? [] : row("AUTH CODE", authCode),
    ...row("TXN", transactionNumber),
    ...text(copy === "CUSTOMER" ? "PLEASE RETAIN RECEIPT" : "PLEASE KEEP THIS COPY")
  ];
}
function checkOf(card, copy) {
  return copy === "MERCHANT" && card.cardholderVerificationMethod === "SIGNATURE" ? [...text("SIGN BELOW", ["BOLD"]), EMPTY, EMPTY, ...text("X".padEnd(RECEIPT_COLUMNS, "_"))] : text(VERIFIED_AS[card.cardholderVerificationMethod]);
}
function outcomeOf(result) {
  switch (result) {
    case null:
      return [];
    case "SUCCESSFUL":
      return text("APPROVED");
    case "DECLINED":
      return [{ value: "DECLINED", type: "BOX_DECLINE" }];
    case "VOID":
      return [{ value: "VOID", type: "BOX_VOID" }];
    case "CANCELLED":
      return text("CANCELLED", ["BOLD"]);
    case "UNSUCCESSFUL":
    case "TIMED_OUT":
      return text("NOT COMPLETED", ["BOLD"]);
  }
}

// src/terminals/simulated/ending.ts
var MESSAGE_BY_DECLINE = {
  refer_to_issuer: "referred",
  no_pre_authorisation: "no_pre_authorisation",
  pre_authorisation_differs: "pre_authorisation_differs"
};
function endingOf(running, tid, result, at) {
  const { request, amounts, cardRead } = running;
  const approved2 = result === "SUCCESSFUL" || result === "VOID";
  return {
    result,
    // A card that was never read has moved nothing but the question.
    amounts: cardRead ? amounts : { ...NO_AMOUNTS, baseMinor: request.amountMinor },
    card: cardDetailsOf(running),
    authCode: approved2 ? running.authCode : "",
    transactionId: running.transactionId,
    transactionNumber: running.transactionNumber,
    receipts: printed(running, tid, result, at),
    messages: running.messages.filter((message) => message !== "cashback_refused" || result === "SUCCESSFUL"),
    repeated: null
  };
}
function printed(running, tid, result, at) {
  const { request, setup, amounts, presented } = running;
  if (request.transactionType === "DUPLICATE") return NO_RECEIPTS;
  return receiptsOf({
    shop: setup.shop,
    tid,
    transactionType: request.transactionType,
    currency: request.currency,
    amounts,
    card: cardDetailsOf(running),
    result,
    authCode: result === "DECLINED" ? "" : running.authCode,
    transactionNumber: running.transactionNumber,
    at,
    customerCopy: presented?.reading !== "CONTACTLESS" || setup.settings.contactlessCustomerCopy
  });
}
function endingOfRepeated(running, tid, last, at) {
  if (last === null) return { ...endingOf(running, tid, "UNSUCCESSFUL", at), messages: ["nothing_to_repeat"] };
  const { requestId, transactionType, endedAt } = last;
  return {
    ...last.ending,
    receipts: markedDuplicate(last.ending.receipts),
    messages: [],
    repeated: { requestId, transactionType, endedAt }
  };
}

// src/terminals/simulated/report-printer.ts
function reportLines({ reportType, setup, tid, totals, at }) {
  const { date, time } = siteTime(at, setup.shop.timeZone);
  return [
    ...text(setup.shop.name, ["BOLD"]),
    ...text(reportType.replaceAll("_", " "), ["BOLD"]),
    ...row(date, time),
    ...row("TERMINAL", tid),
    SEPARATOR,
    ...totals.balances === null ? [] : [...balanceLines(totals.balances, setup), SEPARATOR],
    ...totals.banking === null ? [] : [...bankingLines(totals.banking), SEPARATOR],
    ...text("REPORT COMPLETE", ["BOLD"]),
    TICKET_FEED
  ];
}
function balanceLines(session, { shop }) {
  const since = session.since === null ? null : siteTime(session.since, shop.timeZone);
  return [
    ...text("TOTALS SINCE"),
    ...since === null ? text("INSTALLATION") : row(since.date, since.time),
    ...breakdownLines(session),
    ...countedRow("CASHBACK", session.cashbackCount, session.cashbackMinor),
    ...countedRow("GRATUITY", session.gratuityCount, session.gratuityMinor),
    ...Object.entries(session.byIssuer).flatMap(([issuer, sums]) => [...text(issuer), ...breakdownLines(sums)])
  ];
}
function bankingLines(banking) {
  return Object.entries(banking).flatMap(([acquirer, { current, previous }]) => [
    ...text(acquirer, ["BOLD"]),
    ...windowLines("CURRENT SESSION", current),
    ...windowLines("PREVIOUS SESSION", previous)
  ]);
}
function windowLines(title, window) {
  return [
    ...text(title),
    ...row("TXN", `${window.firstNumber} TO ${window.lastNumber}`),
    ...breakdownLines(window.totals)
  ];
}
function breakdownLines(sums) {
  return [
    ...countedRow("SALES", sums.salesCount, sums.salesMinor),
    ...countedRow("REFUNDS", sums.refundsCount, sums.refundsMinor),
    ...row("TOTAL", decimalOf(sums.salesMinor - sums.refundsMinor), ["BOLD"])
  ];
}
function countedRow(name, count, amountMinor) {
  return row(`${name} ${count}`, decimalOf(amountMinor));
}

// src/terminals/simulated/reporting.ts
var ACQUIRER = "SIMULATED ACQUIRER";
function startReport(state, input, at) {
  const { requestId, reportType, setup } = input;
  const dueAt = at + setup.paceMs;
  return { ...state, report: { requestId, reportType, setup, started: false, sequence: 0, dueAt } };
}
function reportStep(state, report, at) {
  if (!report.started) {
    const dueAt = staysSilent(state.tid) ? null : at + report.setup.paceMs;
    return told({ ...state, report: { ...report, started: true, dueAt } }, { type: "started" });
  }
  const totals = totalsFor(report, state.totals);
  const lines = reportLines({ ...report, tid: state.tid, totals, at });
  const done = told(state, { type: "totals_read", totals, lines });
  const past = { requestId: report.requestId, state: "successful" };
  return withPast({ ...done, report: null, totals: afterReport(report.reportType, state.totals, at) }, past);
}
function reportForgotten(state) {
  if (state.report === null) return state;
  const { requestId } = state.report;
  const reportOutbox = state.reportOutbox.filter((delivery) => delivery.requestId !== requestId);
  return withPast({ ...state, report: null, reportOutbox }, { requestId, state: "forgotten" });
}
function withCounted(state, running, result) {
  const { request, amounts, presented, transactionNumber } = running;
  if (presented === null) return state;
  const totals = counted(state.totals, {
    transactionType: request.transactionType,
    result,
    totalMinor: totalOf(amounts),
    cashbackMinor: amounts.cashbackMinor,
    gratuityMinor: amounts.gratuityMinor,
    issuer: testCardOf(presented.token)?.cardSchemeName ?? "UNKNOWN",
    acquirer: ACQUIRER,
    waiter: "",
    transactionNumber
  });
  return totals === state.totals ? state : { ...state, totals };
}
function told(state, report) {
  if (state.report === null) return state;
  const sequence = state.report.sequence + 1;
  const { account } = state;
  const delivery = { account, requestId: state.report.requestId, sequence, reports: [report] };
  return { ...state, report: { ...state.report, sequence }, reportOutbox: [...state.reportOutbox, delivery] };
}
function staysSilent(tid) {
  return scenarioOf(tid).plans === PLANS_BY_OUTCOME.timed_out;
}
function totalsFor({ reportType, setup }, { session, byAcquirer }) {
  const { currency } = setup.settings;
  return {
    currency,
    balances: reportType === "BANKING" ? null : session,
    banking: reportType === "BANKING" || reportType === "END_OF_DAY" ? byAcquirer : null
  };
}
function afterReport(reportType, totals, at) {
  switch (reportType) {
    case "X_BALANCE":
      return totals;
    case "Z_BALANCE":
      return sessionReset(totals, at);
    case "BANKING":
      return bankingReset(totals);
    case "END_OF_DAY":
      return sessionReset(bankingReset(totals), at);
  }
}

// src/terminals/simulated/steps.ts
var MOST_NUMBERED = 9999;
var FIRST_TRANSACTION_ID = 41e5;
function isBusy(state) {
  return state.running !== null;
}
function changed(state, changes) {
  return { ...state, running: { ...state.running, ...changes } };
}
function deliver(state, reports) {
  const { requestId } = state.running;
  const sequence = state.running.sequence + 1;
  const outbox = [...state.outbox, { account: state.account, requestId, sequence, reports }];
  return { ...changed(state, { sequence }), outbox };
}
function follow(state, moment, dueAt) {
  return changed(state, { plan: planFor(state.running, moment), waitsFor: null, dueAt });
}
function planFor(running, moment) {
  return running.scenario.plans[moment] ?? PLANS[moment];
}
function goOnAt(state, dueAt) {
  return changed(state, { waitsFor: null, dueAt });
}
function present(state, offered, at) {
  const { request, setup } = state.running;
  const trouble = troubleWith(offered.token, at);
  const check2 = trouble === null ? checkFor2(request, offered.reading, offered.check) : "NONE";
  const wanted2 = request.cashbackMinor;
  const paidOut = setup.settings.cashbackAllowed && !request.cardholderNotPresent && testCardOf(offered.token)?.cashback === true;
  const presented = changed(state, {
    presented: { ...offered, check: check2 },
    cardInSlot: offered.reading === "ICC_CHIP",
    amounts: { ...state.running.amounts, cashbackMinor: paidOut ? wanted2 : 0 },
    messages: wanted2 > 0 && !paidOut ? [...state.running.messages, "cashback_refused"] : state.running.messages
  });
  const refund = request.transactionType === "REFUND" && !request.cardholderNotPresent;
  return follow(presented, trouble ?? (refund ? "card_presented_for_refund" : "card_presented"), at);
}
function takeStep(state, at) {
  const [step, ...plan] = applicable(state.running);
  if (step === void 0) throw new Error(`a plan without an end on ${state.tid}`);
  const now = changed(state, { plan });
  switch (step.do) {
    case "wait":
      return enterWait(now, step.for, at);
    case "pause":
      return changed(now, { dueAt: at + step.ms });
    case "say":
      return afterReport2(deliver(noted(now, step.report), [step.report]), at);
    case "read_card":
      return afterReport2(readCard(now), at);
    case "authorise":
      return enterWait(askAuthorisation(now), "authorisation", at);
    case "ask_signature":
      return enterWait(askSignature(now, at), "signature", at);
    case "end":
      return finished(now, step.result, at, true);
    case "end_unheard":
      return finished(now, step.result, at, false);
    case "repeat_last":
      return repeated(now, at);
  }
}
function waitIsOver(state, wait2, at) {
  const { leadsTo } = WAITS[wait2];
  if (scriptActs(state.running, wait2)) return scriptAct(state, wait2, at);
  return leadsTo === null ? goOnAt(state, at) : follow(state, leadsTo, at);
}
function closedAsItStands(state, at) {
  return finished(state, state.running.approvedShown ? "SUCCESSFUL" : "UNSUCCESSFUL", at, false);
}
function applicable(running) {
  const next2 = running.plan.findIndex((step) => !leftOut(step, running));
  return next2 === -1 ? [] : running.plan.slice(next2);
}
function leftOut(step, running) {
  if (step.do === "say") return step.only !== void 0 && !holds(step.only, running);
  if (step.do !== "wait") return false;
  switch (step.for) {
    case "gratuity":
      return !(running.setup.settings.gratuity && running.request.transactionType === "SALE");
    case "pin":
      return !holds("pin", running);
    case "removal":
      return !holds("card_in_slot", running);
    case "card":
    case "authorisation":
    case "signature":
    case "nothing":
      return false;
  }
}
function holds(condition, running) {
  switch (condition) {
    case "pin":
      return running.presented?.check === "PIN";
    case "card_in_slot":
      return running.cardInSlot;
    case "printing":
      return running.setup.settings.printing;
  }
}
function afterReport2(state, at) {
  const [next2, ...plan] = applicable(state.running);
  return next2?.do === "wait" ? enterWait(changed(state, { plan }), next2.for, at) : changed(state, { dueAt: at + state.running.setup.paceMs });
}
function enterWait(state, wait2, at) {
  const forMs = scriptActs(state.running, wait2) ? state.running.setup.paceMs : WAITS[wait2].limitMs;
  return changed(state, { waitsFor: wait2, dueAt: at + forMs });
}
function scriptActs({ scenario }, wait2) {
  if (scenario.person !== "script") return false;
  return wait2 === "gratuity" || wait2 === "card" || wait2 === "pin" || wait2 === "removal" && !scenario.leavesCard;
}
function scriptAct(state, wait2, at) {
  const { scenario, request, amounts } = state.running;
  switch (wait2) {
    case "gratuity": {
      const gratuityMinor = Math.floor(amounts.baseMinor / 10);
      return goOnAt(changed(state, { amounts: { ...amounts, gratuityMinor } }), at);
    }
    case "card": {
      const reading = request.cardholderNotPresent ? "KEYED" : scenario.reading;
      return present(state, { token: scenario.card, reading, check: scenario.check }, at);
    }
    case "removal":
      return goOnAt(changed(state, { cardInSlot: false }), at);
    case "pin":
    case "authorisation":
    case "signature":
    case "nothing":
      return goOnAt(state, at);
  }
}
function noted(state, report) {
  const { running } = state;
  const noted2 = changed(state, {
    showing: notificationsOf(report, [])[0] ?? running.showing,
    pinAsked: running.pinAsked || report.type === "pin_requested",
    approvedShown: running.approvedShown || report.type === "outcome_shown" && report.outcome === "APPROVED"
  });
  return report.type === "paper_ran_out" ? { ...noted2, paperOut: true } : noted2;
}
function readCard(state) {
  const counted2 = state.counted + 1;
  const numbered = changed(state, {
    cardRead: true,
    showing: "PLEASE_WAIT",
    transactionId: String(FIRST_TRANSACTION_ID + counted2),
    transactionNumber: String((counted2 - 1) % MOST_NUMBERED + 1).padStart(4, "0")
  });
  return deliver({ ...numbered, counted: counted2 }, [{ type: "card_read", card: cardDetailsOf(numbered.running) }]);
}
function askAuthorisation(state) {
  const { running } = state;
  const amounts = running.request.transactionType === "ACCOUNT_VERIFICATION" ? NO_AMOUNTS : running.amounts;
  const asking = changed(state, { amounts, showing: "CONNECTION_MADE" });
  return deliver(asking, [
    { type: "linking", stage: "CONNECTION_MADE" },
    {
      type: "authorisation_requested",
      cardToken: tokenOf(running.presented?.token ?? "", running.scenario.acquirer),
      amounts,
      card: cardDetailsOf(running)
    }
  ]);
}
function askSignature(state, at) {
  const { running, tid } = state;
  const report = {
    type: "signature_requested",
    authCode: running.authCode,
    card: cardDetailsOf(running),
    receipts: printed(running, tid, null, at)
  };
  return deliver(changed(state, { showing: "SIGNATURE_VERIFICATION" }), [report]);
}
function finished(state, result, at, heard) {
  const { running, tid } = state;
  const ending2 = endingOf(running, tid, result, at);
  const told2 = heard ? deliver(state, [{ type: "ended", ending: ending2 }]) : state;
  const { transactionType } = running.request;
  const last = transactionType === "DUPLICATE" ? state.last : { requestId: running.requestId, transactionType, endedAt: at, ending: ending2 };
  return over(withCounted({ ...told2, last }, running, result), running, result);
}
function repeated(state, at) {
  const ending2 = endingOfRepeated(state.running, state.tid, state.last, at);
  return over(deliver(state, [{ type: "ended", ending: ending2 }]), state.running, ending2.result);
}
function over(state, { requestId }, result) {
  const past = { requestId, state: result === "SUCCESSFUL" ? "successful" : "unsuccessful" };
  return withPast({ ...state, running: null }, past);
}

// src/terminals/simulated/keys.ts
var READING = {
  tap: "CONTACTLESS",
  insert: "ICC_CHIP",
  swipe: "SWIPED",
  keyed: "KEYED"
};
var KEYS_WHILE_WAITING = {
  gratuity: ["gratuity", "cancel"],
  card: ["present_card", "cancel"],
  pin: ["pin", "cancel"],
  removal: [],
  authorisation: [],
  signature: [],
  nothing: []
};
var MOST_WRONG_PINS = 3;
var MOST_GRATUITY_MINOR = 99999999;
function keysOf(state) {
  const paper = state.paperOut ? "put_paper_in" : "take_paper_out";
  if (!state.connected) return ["plug_in", paper];
  const { running } = state;
  const now = running === null || running.waitsFor === null ? [] : KEYS_WHILE_WAITING[running.waitsFor];
  return [...now, ...running?.cardInSlot === true ? ["remove_card"] : [], "unplug", paper];
}
function pressed(state, key, at) {
  if (!keysOf(state).includes(key.key)) return state;
  switch (key.key) {
    case "unplug":
      return unplugged(state);
    case "plug_in":
      return { ...state, connected: true };
    case "put_paper_in":
      return { ...state, paperOut: false };
    case "take_paper_out":
      return paperTaken(state);
    case "present_card":
    case "pin":
    case "gratuity":
    case "remove_card":
    case "cancel":
      return isBusy(state) ? pressedInTransaction(state, key, at) : state;
  }
}
function pressedInTransaction(state, key, at) {
  switch (key.key) {
    case "present_card": {
      const card = testCardOf(key.card);
      return card === null ? state : presentedByHand(state, card, key.how, at);
    }
    case "pin":
      return pinTyped(state, key.digits, at);
    case "gratuity":
      return gratuityTyped(state, key.amountMinor, at);
    case "remove_card":
      return cardRemoved(state, at);
    case "cancel":
      return follow(state, "cancelled", at);
  }
}
function unplugged(state) {
  const { running } = state;
  if (running === null) return { ...reportForgotten(state), connected: false };
  const outbox = state.outbox.filter((delivery) => delivery.requestId !== running.requestId);
  const off = { ...state, connected: false, running: null, outbox };
  return withPast(off, { requestId: running.requestId, state: "forgotten" });
}
function paperTaken(state) {
  const out = { ...state, paperOut: true };
  return isBusy(out) && out.running.setup.settings.printing ? deliver(out, [{ type: "paper_ran_out" }]) : out;
}
function presentedByHand(state, card, how, at) {
  const { request } = state.running;
  if (request.cardholderNotPresent && how !== "keyed") return state;
  const failedInserts = state.running.failedInserts + (how === "insert" && card.chip !== "works" ? 1 : 0);
  const prompt2 = promptInstead(card, how, request.amountMinor, state.running.failedInserts);
  if (prompt2 !== null) return promptedAgain(changed(state, { failedInserts }), prompt2);
  const reading = READING[how];
  return present(state, { token: card.token, reading, check: checkByHand(card, request, reading) }, at);
}
function promptInstead(card, how, amountMinor, failedInserts) {
  switch (how) {
    case "tap":
      if (!card.contactless) return "INSERT_CARD";
      return amountMinor > CONTACTLESS_LIMIT_MINOR && !card.device ? "INSERT_CARD" : null;
    case "insert":
      if (card.chip === "works") return null;
      return card.device ? "RE_PRESENT_CARD" : "INSERT_CARD";
    case "swipe": {
      if (!card.stripe) return "BAD_SWIPE";
      const mayBeSwiped = card.chip === "none" || failedInserts >= INSERTS_BEFORE_SWIPE;
      return mayBeSwiped ? null : "INSERT_CARD";
    }
    case "keyed":
      return null;
  }
}
function promptedAgain(state, prompt2) {
  return deliver(changed(state, { showing: prompt2 }), [
    { type: "prompted", prompt: prompt2 },
    { type: "prompted", prompt: "PRESENT_CARD" }
  ]);
}
function pinTyped(state, digits, at) {
  const { presented } = state.running;
  if (presented !== null && testCardOf(presented.token)?.pin === digits) return goOnAt(state, at);
  const wrongPins = state.running.wrongPins + 1;
  const tried = changed(state, { wrongPins });
  return wrongPins < MOST_WRONG_PINS ? deliver(tried, [{ type: "pin_requested" }]) : follow(tried, "pin_blocked", at);
}
function gratuityTyped(state, amountMinor, at) {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0 || amountMinor > MOST_GRATUITY_MINOR) return state;
  const amounts = { ...state.running.amounts, gratuityMinor: amountMinor };
  return goOnAt(changed(state, { amounts }), at);
}
function cardRemoved(state, at) {
  const { waitsFor, plan } = state.running;
  const out = changed(state, { cardInSlot: false });
  if (waitsFor === "removal") return goOnAt(out, at);
  const needed = waitsFor === "pin" || waitsFor === "authorisation" || plan.some((step) => step.do === "authorise");
  return needed ? follow(out, "card_pulled_out", at) : out;
}

// src/terminals/simulated/behaviour.ts
function react(state, input, at) {
  switch (input.type) {
    case "start":
      return start2(state, input, at);
    case "cancel":
      return forCall(state, input, (busy) => cancel(busy, at));
    case "authorisation_approved":
      return forCall(state, input, (busy) => approved(busy, input.authCode, at));
    case "authorisation_declined":
      return forCall(state, input, (busy) => declined2(busy, input.reason, at));
    case "signature_answered":
      return forCall(state, input, (busy) => signatureAnswered(busy, input, at));
    case "key":
      return pressed(state, input.key, at);
    case "time_passed":
      return timePassed(state, at);
    case "run_report":
      return knows(state, input.requestId) ? state : startReport(freed(state, at), input, at);
    case "delivered": {
      const others = (delivery) => delivery.requestId !== input.requestId || delivery.sequence !== input.sequence;
      return { ...state, outbox: state.outbox.filter(others), reportOutbox: state.reportOutbox.filter(others) };
    }
    case "denied":
      return knows(state, input.requestId) ? state : withPast(state, { requestId: input.requestId, state: "forgotten" });
    case "scenarios_set":
      return { ...state, scenarios: input.names };
  }
}
function nextScenario({ scenarios, tid }) {
  const [name] = scenarios;
  return name === void 0 ? scenarioOf(tid) : SCENARIOS[name];
}
function knows(state, requestId) {
  if (state.running?.requestId === requestId || state.report?.requestId === requestId) return true;
  return state.past.some((past) => past.requestId === requestId);
}
function start2(state, input, at) {
  const { requestId, request, setup, effectId } = input;
  if (knows(state, requestId)) return state;
  const free = freed(state, at);
  const duplicate = request.transactionType === "DUPLICATE";
  const running = freshRunning(requestId, request, setup, nextScenario(free), effectId);
  const moment = duplicate ? "duplicate_started" : request.cardholderNotPresent ? "started_without_card" : "started";
  return {
    ...free,
    // A duplicate goes the same way on every terminal, so it leaves the next scenario to the next payment.
    scenarios: duplicate ? free.scenarios : free.scenarios.slice(1),
    running: { ...running, plan: planFor(running, moment), dueAt: at + setup.paceMs }
  };
}
function freed(state, at) {
  return reportForgotten(isBusy(state) ? closedAsItStands(state, at) : state);
}
function forCall(state, call, perform) {
  if (!isBusy(state) || state.running.requestId !== call.requestId) return state;
  if (state.running.performed.includes(call.effectId)) return state;
  return perform(changed(state, { performed: [...state.running.performed, call.effectId] }));
}
function cancel(state, at) {
  if (state.running.presented !== null) return deliver(state, [{ type: "cancel_refused", atEnd: false }]);
  const stopping = deliver(changed(state, { showing: "CANCELLING" }), [{ type: "cancel_accepted" }]);
  return follow(stopping, "cancelled", at + state.running.setup.paceMs);
}
function approved(state, authCode, at) {
  if (state.running.waitsFor !== "authorisation") return state;
  const moment = state.running.presented?.check === "SIGNATURE" ? "approved_to_be_signed" : "approved";
  return follow(changed(state, { authCode }), moment, at + state.running.setup.paceMs);
}
function declined2(state, reason, at) {
  if (state.running.waitsFor !== "authorisation") return state;
  const { messages, setup } = state.running;
  const message = MESSAGE_BY_DECLINE[reason];
  const told2 = message === void 0 ? state : changed(state, { messages: [...messages, message] });
  return follow(told2, "declined", at + setup.paceMs);
}
function signatureAnswered(state, { accepted, timedOut: timedOut2 }, at) {
  if (state.running.waitsFor !== "signature") return state;
  const decided = accepted ? "signature_accepted" : "signature_refused";
  return follow(state, timedOut2 ? "signature_timed_out" : decided, at + state.running.setup.paceMs);
}
function dueAtOf({ running, report }) {
  return running?.dueAt ?? report?.dueAt ?? null;
}
function timePassed(state, at) {
  const { report } = state;
  if (report !== null) return report.dueAt === null || at < report.dueAt ? state : reportStep(state, report, at);
  if (!isBusy(state) || at < state.running.dueAt) return state;
  const { waitsFor } = state.running;
  if (waitsFor === null) return takeStep(state, at);
  const next2 = waitIsOver(state, waitsFor, at);
  return isBusy(next2) && next2.running.waitsFor === null && next2.running.dueAt <= at ? takeStep(next2, at) : next2;
}

// src/terminals/simulated/screen.ts
function screenOf2(state) {
  return {
    connected: state.connected,
    lines: state.connected ? linesOf(state) : [],
    keys: keysOf(state),
    cardInSlot: state.running?.cardInSlot === true,
    paper: !state.paperOut,
    requestId: state.running?.requestId ?? state.report?.requestId ?? null
  };
}
function testCardViews() {
  return TEST_CARDS.map(viewOf);
}
function linesOf({ running, report, last, paperOut }) {
  const paper = paperOut ? ["REPLACE PAPER"] : [];
  if (report !== null) return [report.reportType.replaceAll("_", " "), "PLEASE WAIT", ...paper];
  if (running === null) return [...last === null ? [] : [`LAST: ${last.ending.result}`], "READY", ...paper];
  const { request } = running;
  return [
    request.transactionType.replaceAll("_", " "),
    ...request.amountMinor === 0 ? [] : [`${request.currency} ${decimalOf(request.amountMinor)}`],
    messageOf(running),
    ...paper
  ];
}
function messageOf(running) {
  if (running.waitsFor === "gratuity") return "ADD A GRATUITY";
  if (running.waitsFor === "card" && running.request.cardholderNotPresent) return "TYPE THE CARD NUMBER";
  if (running.waitsFor === "card" && running.failedInserts >= INSERTS_BEFORE_SWIPE) return "SWIPE CARD";
  return (running.showing ?? "PLEASE_WAIT").replaceAll("_", " ");
}
function viewOf(card) {
  const how = ["keyed"];
  if (card.stripe) how.unshift("swipe");
  if (card.chip !== "none") how.unshift("insert");
  if (card.contactless) how.unshift("tap");
  return {
    card: card.token,
    name: card.name,
    scheme: card.cardSchemeName,
    maskedNumber: maskOf(card.number),
    how,
    pin: card.pin ?? "",
    answer: card.issuer
  };
}

// src/terminals/simulated/station.ts
var SHAPE = 1;
var FIRST_RETRY_MS = 100;
var LAST_RETRY_MS = 5e3;
function createStation(parts, account, tid) {
  const { memory, clock: clock2, log: log2 } = parts;
  let state = recalled(memory, account, tid);
  let alarm = null;
  let tickIsComing = false;
  let delivering = false;
  let failures = 0;
  let retry = null;
  let closed = false;
  let waiting = [];
  function take(input) {
    const next2 = react(state, input, clock2.now());
    if (next2 === state) return false;
    if (input.type !== "delivered" || drainedOf(next2)) memory.write(documentsOf(next2, state));
    const wasConnected = state.connected;
    state = next2;
    schedule();
    void pump();
    if (!wasConnected && next2.connected) tellReconnected();
    return true;
  }
  function schedule() {
    alarm?.cancel();
    alarm = null;
    const dueAt = dueAtOf(state);
    if (closed || dueAt === null || tickIsComing) return;
    if (dueAt > clock2.now()) {
      alarm = clock2.alarm(dueAt, tick);
    } else {
      tickIsComing = true;
      queueMicrotask(() => {
        tickIsComing = false;
        tick();
      });
    }
  }
  function tick() {
    if (closed) return;
    try {
      if (!take({ type: "time_passed" })) schedule();
    } catch (error) {
      log2.error({ tid, error: String(error) }, "simulated terminal could not go on");
      alarm = clock2.alarm(clock2.now() + LAST_RETRY_MS, tick);
    }
  }
  async function pump() {
    if (delivering || retry !== null) return;
    delivering = true;
    try {
      for (; ; ) {
        const sink = parts.sink();
        const [delivery] = state.outbox;
        const [progress] = state.reportOutbox;
        if (closed || sink === null || !state.connected) break;
        const next2 = delivery ?? progress;
        if (next2 === void 0) break;
        if (delivery !== void 0) await sink.report(delivery);
        else if (progress !== void 0) await sink.reportProgress(progress);
        failures = 0;
        if (!closed) take({ type: "delivered", requestId: next2.requestId, sequence: next2.sequence });
      }
    } catch (error) {
      tryAgainLater(error);
    } finally {
      delivering = false;
    }
    if (closed || drainedOf(state) || !state.connected) releaseWaiting();
  }
  function tryAgainLater(error) {
    if (closed) return;
    if (failures === 0) log2.warn({ tid, error: String(error) }, "simulated terminal could not deliver");
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
    failures += 1;
    retry = clock2.alarm(clock2.now() + waitMs, () => {
      retry = null;
      void pump();
    });
  }
  function tellReconnected() {
    const told2 = parts.sink()?.reconnected(account, tid);
    told2?.catch((error) => log2.warn({ tid, error: String(error) }, "simulated terminal could not announce itself"));
  }
  function releaseWaiting() {
    for (const resolve of waiting) resolve();
    waiting = [];
  }
  return {
    get state() {
      return state;
    },
    take,
    wake() {
      schedule();
      void pump();
    },
    async drained() {
      if (drainedOf(state) || !state.connected) return;
      await new Promise((resolve) => waiting.push(resolve));
    },
    close() {
      closed = true;
      alarm?.cancel();
      retry?.cancel();
      releaseWaiting();
    }
  };
}
function drainedOf({ outbox, reportOutbox }) {
  return outbox.length === 0 && reportOutbox.length === 0;
}
function recalled(memory, account, tid) {
  const key = keyOf2(account, tid);
  const fresh = freshDevice(account, tid);
  return { ...fresh, ...parsed(memory.read("device", key)), ...parsed(memory.read("journal", key)) };
}
function parsed(body) {
  if (body === null) return {};
  const { shape, ...kept } = JSON.parse(body);
  return shape === SHAPE ? kept : {};
}
function documentsOf(next2, before) {
  const { past, last, totals, ...doing } = next2;
  const place = { key: keyOf2(next2.account, next2.tid), parent: next2.account };
  const device = { ...place, shelf: "device", body: JSON.stringify({ shape: SHAPE, ...doing }) };
  if (past === before.past && last === before.last && totals === before.totals) return [device];
  return [device, { ...place, shelf: "journal", body: JSON.stringify({ shape: SHAPE, past, last, totals }) }];
}
function keyOf2(account, tid) {
  return `${account}/${tid}`;
}

// src/terminals/simulated/terminals.ts
var MOST_DEVICES = 1e4;
function createSimulatedTerminals(parts) {
  const stations = /* @__PURE__ */ new Map();
  let sink = null;
  function stationOf(account, tid) {
    const key = keyOf2(account, tid);
    const known = stations.get(key);
    if (known !== void 0) return known;
    const station = createStation({ ...parts, sink: () => sink }, account, tid);
    stations.set(key, station);
    return station;
  }
  const at = (terminal) => stationOf(terminal.merchantAccount, terminal.tid);
  function reach(terminal) {
    const station = at(terminal);
    if (!station.state.connected) throw new Error(`${terminal.tid} is not connected`);
    return station;
  }
  function tell(call, input) {
    reach(call.terminal).take(input({ effectId: call.effectId, requestId: call.transaction.requestId }));
  }
  async function setupOf({ settings, merchantAccount }) {
    const { name, address, merchantNumber, timeZone } = await parts.profileOf(merchantAccount);
    return { settings, shop: { name, address, merchantNumber, timeZone }, paceMs: settings.paceMs ?? parts.paceMs };
  }
  const driver = {
    name: "simulated",
    authorisedBy: "gateway",
    presence: (terminal) => presenceOf(at(terminal).state, terminal),
    async start(call) {
      const setup = await setupOf(call.terminal);
      tell(call, (ids) => ({ ...ids, type: "start", request: call.transaction.request, setup }));
    },
    async cancel(call) {
      tell(call, (ids) => ({ ...ids, type: "cancel" }));
    },
    async answerSignature(call, { accepted, timedOut: timedOut2 }) {
      tell(call, (ids) => ({ ...ids, type: "signature_answered", accepted, timedOut: timedOut2 }));
    },
    async answerAuthorisation(call) {
      const { authorisation, authCode, declineReason } = call.transaction;
      if (authorisation === "approved") tell(call, (ids) => ({ ...ids, type: "authorisation_approved", authCode }));
      if (authorisation === "declined")
        tell(call, (ids) => ({ ...ids, type: "authorisation_declined", reason: declineReason ?? "do_not_honour" }));
    },
    async runReport({ effectId, terminal, report }) {
      const setup = await setupOf(terminal);
      const { requestId, reportType } = report;
      reach(terminal).take({ type: "run_report", effectId, requestId, reportType, setup });
    },
    lastTransaction: async (terminal, requestId) => remembered(reach(terminal), requestId),
    async listen(given) {
      sink = given;
      for (const { parent, body } of parts.memory.list("device", { limit: MOST_DEVICES }))
        stationOf(parent, JSON.parse(body).tid);
      const all = [...stations.values()];
      for (const station of all) station.wake();
      await Promise.all(all.map((station) => station.drained()));
    },
    async close() {
      sink = null;
      for (const station of stations.values()) station.close();
    }
  };
  return {
    driver,
    cards: testCardViews(),
    screenOf: (terminal) => screenOf2(at(terminal).state),
    async press(terminal, key) {
      const pressed2 = at(terminal).take({ type: "key", key });
      if (pressed2) parts.log.info({ tid: terminal.tid, key: key.key }, "key pressed on simulated terminal");
      return pressed2 ? "pressed" : "refused";
    },
    setScenarios: (terminal, names) => void at(terminal).take({ type: "scenarios_set", names })
  };
}
function presenceOf(state, terminal) {
  if (!state.connected) return null;
  return { paperOut: terminal.settings.printing && (state.paperOut || nextScenario(state).startsWithoutPaper) };
}
function remembered(station, requestId) {
  const { running, report, past } = station.state;
  if (running?.requestId === requestId || report?.requestId === requestId) return { state: "running" };
  const known = past.find((other) => other.requestId === requestId);
  if (known === void 0) station.take({ type: "denied", requestId });
  return known === void 0 || known.state === "forgotten" ? { state: "forgotten" } : { state: "ended", successful: known.state === "successful" };
}

// src/wire.ts
var HOUSEKEEPING_MS = 60 * 60 * 1e3;
function wire(parts) {
  const { clock: clock2, random: random2, log: log2, meters, store } = parts;
  const feed = createFeed();
  const engine = createEngine({ store, clock: clock2, feed, cache: createRecordCache(parts.cachedRecords, clock2) });
  const { sandbox, drivers, acquirer } = outsideOf(parts, engine);
  const fleet = createFleet(drivers);
  const terminals = createTerminals({ engine, store, fleet });
  const transactions = createTransactions({ engine, terminals, acquirer, log: log2, limits: parts.limits });
  const reports = createReports({ engine, terminals, log: log2, limitMs: parts.limits.reportMs });
  const performers = { ...transactions.performers, ...reports.performers };
  const effects = createEffects({ performers, store, clock: clock2, log: log2, meters });
  const fire = (timer) => (timer.kind === REPORT.kind ? reports : transactions).fire(timer);
  const timers = createTimers({ store, clock: clock2, log: log2, fire });
  const sink = createSink({ terminals, transactions, reports, effects });
  engine.attach({ effects: effects.enqueue, timers: timers.set });
  feed.followAll((change) => tellOf(change, log2, meters));
  const housekeeping = createHousekeeping(parts);
  return {
    engine,
    store,
    feed,
    transactions,
    reports,
    provisioning: createProvisioning({ engine, store, random: random2 }),
    sandbox,
    async start() {
      await recover({ store, clock: clock2, sink, effects, timers, drivers, log: log2 });
      housekeeping.start();
    },
    get idle() {
      return engine.busy === 0 && effects.performing === 0 && timers.firing === 0;
    },
    async stop() {
      housekeeping.stop();
      await timers.stop();
      await Promise.all(drivers.map((driver) => driver.close()));
      await effects.stop();
    }
  };
}
function outsideOf({ simulated, clock: clock2, random: random2, log: log2, between }, engine) {
  if (simulated === null) return { sandbox: null, drivers: [], acquirer: NO_ACQUIRER };
  const { memory, paceMs } = simulated;
  const terminals = createSimulatedTerminals({ memory, clock: clock2, log: log2, paceMs, profileOf: (id) => profileOf(engine, id) });
  const acquirer = createSimulatedAcquirer({ memory, clock: clock2, random: random2 });
  return {
    sandbox: terminals,
    drivers: [between?.driver(terminals.driver) ?? terminals.driver],
    acquirer: between?.acquirer(acquirer) ?? acquirer
  };
}
async function profileOf(engine, id) {
  const entry = await engine.read(MERCHANT_ACCOUNT, { account: id, id });
  if (entry === null) throw new Error(`a terminal belongs to account ${id}, which does not exist`);
  return entry.record;
}
var NO_ACQUIRER = {
  name: "none",
  authorise: refuse,
  capture: refuse,
  refund: refuse,
  verify: refuse,
  reverse: refuse
};
async function refuse(order) {
  throw new Fault("acquirer_missing", { detail: `Order ${order.orderId}` });
}
function tellOf({ kind, record, events }, log2, meters) {
  if (kind !== TERMINAL_TRANSACTION.kind) return;
  const { requestId, tid, request, result } = record;
  const type = request.transactionType;
  for (const event of events) {
    if (event.type === "started") {
      meters.transactionStarted(type);
      log2.info({ requestId, tid, type }, "transaction started");
    }
    if (event.type === "ended" || event.type === "timed_out") {
      const outcome = result ?? "TIMED_OUT";
      meters.transactionFinished(type, outcome);
      log2.info({ requestId, tid, type, outcome }, "transaction finished");
    }
  }
}
function createHousekeeping({ store, clock: clock2, log: log2 }) {
  let alarm = null;
  let stopped = false;
  const tidy = async () => {
    await store.forgetExpired(clock2.now()).catch((error) => stopped || log2.warn({ error: String(error) }, "expired rows could not be erased"));
    if (!stopped) alarm = clock2.alarm(clock2.now() + HOUSEKEEPING_MS, () => void tidy());
  };
  return {
    start: () => void tidy(),
    stop() {
      stopped = true;
      alarm?.cancel();
    }
  };
}

// src/store/memory-tables.ts
import assert from "node:assert/strict";

// src/store/sorted-list.ts
var PIECE = 512;
function insert(list, item, order) {
  const index = firstIndex(list, (piece2) => order(lastOf(piece2), item) > 0);
  const piece = list[index];
  if (piece === void 0) append(list, item);
  else {
    const place = firstIndex(piece, (other) => order(other, item) > 0);
    piece.splice(place, 0, item);
    if (piece.length > PIECE) list.splice(index + 1, 0, piece.splice(PIECE / 2));
  }
}
function remove(list, item, order) {
  const index = firstIndex(list, (piece2) => order(lastOf(piece2), item) >= 0);
  const piece = list[index] ?? [];
  const place = firstIndex(piece, (other) => order(other, item) >= 0);
  const found = piece[place];
  if (found === void 0 || order(found, item) !== 0) return;
  piece.splice(place, 1);
  if (piece.length === 0) list.splice(index, 1);
}
function* ascending(list, reached = () => true) {
  const start3 = firstIndex(list, (piece) => reached(lastOf(piece)));
  for (let index = start3; index < list.length; index += 1) {
    const piece = list[index] ?? [];
    yield* index === start3 ? piece.slice(firstIndex(piece, reached)) : piece;
  }
}
function* descending(list, reached) {
  const start3 = firstIndex(list, (piece) => reached(lastOf(piece)));
  for (let index = Math.min(start3, list.length - 1); index >= 0; index -= 1) {
    const piece = list[index] ?? [];
    yield* (index === start3 ? piece.slice(0, firstIndex(piece, reached)) : piece).toReversed();
  }
}
function firstIndex(items, reached) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = low + high >>> 1;
    if (reached(items[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
function append(list, item) {
  const last = list.at(-1);
  if (last === void 0 || last.length >= PIECE) list.push([item]);
  else last.push(item);
}
function lastOf(piece) {
  return piece[piece.length - 1];
}

// src/store/memory-tables.ts
function emptyTables() {
  return {
    rows: /* @__PURE__ */ new Map(),
    shelves: /* @__PURE__ */ new Map(),
    holders: /* @__PURE__ */ new Map(),
    eventsOfRecord: /* @__PURE__ */ new Map(),
    eventsOfAccount: /* @__PURE__ */ new Map(),
    effects: /* @__PURE__ */ new Map(),
    timers: [],
    idempotency: /* @__PURE__ */ new Map(),
    lastCursor: 0
  };
}
function write3(tables, commit) {
  const before = tables.rows.get(nameOf2(commit));
  const exclusive = commit.live ? commit.exclusive : null;
  const refusal2 = refusalOf2(tables, commit, before, exclusive);
  if (refusal2 !== null) return refusal2;
  refuseRepeatedIds(tables, commit);
  const { account, kind, id } = commit;
  const row2 = before ?? addRow(tables, commit);
  changeRow(tables, row2, commit, exclusive);
  appendEvents(tables, commit);
  for (const effectId of commit.effectsDone) tables.effects.delete(effectId);
  for (const { effectId, type, body } of commit.effects)
    tables.effects.set(effectId, { account, kind, id, effectId, type, body });
  if (commit.idempotency !== null) {
    const { key, fingerprint, answer, expiresAt } = commit.idempotency;
    tables.idempotency.set(join2(account, key), { key, fingerprint, answer, expiresAt });
  }
  return "written";
}
function nameOf2({ kind, account, id }) {
  return join2(kind, account, id);
}
function join2(...parts) {
  return parts.join("\0");
}
function shelf(tables, live, ...parts) {
  return tables.shelves.get(shelfName(live, parts)) ?? [];
}
function refusalOf2(tables, { account, idempotency, at, expectedVersion }, before, exclusive) {
  if (idempotency !== null) {
    const first = tables.idempotency.get(join2(account, idempotency.key));
    if (first !== void 0 && first.expiresAt > at) return "idempotency_key_taken";
  }
  if ((before?.record.version ?? 0) !== expectedVersion) return "version_moved";
  if (exclusive !== null && exclusive !== before?.exclusive && tables.holders.has(exclusive)) return "exclusive_taken";
  return null;
}
function refuseRepeatedIds(tables, { effects, effectsDone, timers }) {
  const ids = new Set(effects.map((effect) => effect.effectId));
  assert(ids.size === effects.length, "the effects of a commit differ in their ids");
  for (const id of ids) assert(effectsDone.includes(id) || !tables.effects.has(id), "an effect is stored once");
  const names = new Set(timers?.map((timer) => timer.name));
  assert(names.size === (timers?.length ?? 0), "the timers of a record differ in their names");
}
function addRow(tables, { account, kind, id, version, body, parent }) {
  const position = tables.rows.size + 1;
  const record = { position, account, kind, id, version, body };
  const row2 = { position, record, parent, live: false, exclusive: null, timers: [] };
  tables.rows.set(nameOf2(record), row2);
  for (const name of shelvesOf(row2)) putOn(tables, name, row2);
  return row2;
}
function changeRow(tables, row2, commit, exclusive) {
  const { account, kind, id, version, body, parent, live } = commit;
  row2.record = { position: row2.position, account, kind, id, version, body };
  if (row2.parent !== parent || row2.live !== live) {
    const before = shelvesOf(row2);
    row2.parent = parent;
    row2.live = live;
    const after = shelvesOf(row2);
    for (const name of before) if (!after.includes(name)) remove(tables.shelves.get(name) ?? [], row2, byPosition);
    for (const name of after) if (!before.includes(name)) putOn(tables, name, row2);
  }
  if (row2.exclusive !== null) tables.holders.delete(row2.exclusive);
  row2.exclusive = exclusive;
  if (exclusive !== null) tables.holders.set(exclusive, row2);
  if (commit.timers !== null) {
    for (const timer of row2.timers) remove(tables.timers, timer, byDueTime);
    row2.timers = commit.timers.map(({ name, dueAt }) => ({ account, kind, id, name, dueAt, position: row2.position }));
    for (const timer of row2.timers) insert(tables.timers, timer, byDueTime);
  }
}
function appendEvents(tables, { account, kind, id, events }) {
  for (const { version, at, type, body } of events) {
    tables.lastCursor += 1;
    const event = { cursor: tables.lastCursor, account, kind, id, version, at, type, body };
    append2(tables.eventsOfRecord, join2(kind, account, id), event);
    append2(tables.eventsOfAccount, account, event);
  }
}
function append2(lists, name, item) {
  const list = lists.get(name);
  if (list === void 0) lists.set(name, [item]);
  else list.push(item);
}
function shelvesOf({ record: { kind, account }, parent, live }) {
  return (live ? [false, true] : [false]).flatMap((only) => [
    shelfName(only, [kind]),
    shelfName(only, [kind, account]),
    shelfName(only, [kind, account, parent])
  ]);
}
function shelfName(live, parts) {
  return join2(live ? "live" : "all", ...parts);
}
function putOn(tables, name, row2) {
  const list = tables.shelves.get(name) ?? [];
  tables.shelves.set(name, list);
  insert(list, row2, byPosition);
}
var byPosition = (a, b) => a.position - b.position;
var byDueTime = (a, b) => a.dueAt - b.dueAt || a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

// src/store/memory.ts
function openMemoryStore() {
  let tables = emptyTables();
  const open = () => {
    if (tables === null) throw new Fault("store_gone");
    return tables;
  };
  return {
    commit: async (commit) => write3(open(), commit),
    effectsDone: async (effectIds) => {
      const { effects } = open();
      for (const effectId of effectIds) effects.delete(effectId);
    },
    forgetExpired: async (now) => forgetExpired(open().idempotency, now),
    close: async () => {
      tables = null;
    },
    load: async (key) => recordOf(open().rows.get(nameOf2(key))),
    holderOf: async (exclusive) => recordOf(open().holders.get(exclusive)),
    list: async (account, { kind, parent, live, before = Number.MAX_SAFE_INTEGER, limit }) => {
      const rows = shelf(open(), live === true, kind, account, ...parent === void 0 ? [] : [parent]);
      const newest = descending(rows, (row2) => row2.position >= before);
      return records(newest, live, limit);
    },
    all: async (kind, { live, after = 0, limit }) => {
      const rows = shelf(open(), live === true, kind);
      const oldest = ascending(rows, (row2) => row2.position > after);
      return records(oldest, live, limit);
    },
    eventsOf: async (key) => [...open().eventsOfRecord.get(nameOf2(key)) ?? []],
    eventsAfter: async (account, cursor, limit) => {
      const events = open().eventsOfAccount.get(account) ?? [];
      const start3 = firstIndex(events, (event) => event.cursor > cursor);
      return events.slice(start3, start3 + limit);
    },
    idempotencyOf: async (account, key) => open().idempotency.get(join2(account, key)) ?? null,
    undoneEffects: async (limit) => firstOf(open().effects.values(), limit),
    dueTimers: async (until, limit) => {
      const due = firstOf(ascending(open().timers), limit).filter((timer) => timer.dueAt <= until);
      return due.map(({ account, kind, id, name, dueAt }) => ({ account, kind, id, name, dueAt }));
    },
    nextTimerAt: async () => open().timers[0]?.[0]?.dueAt ?? null
  };
}
function records(rows, live, limit) {
  const found = [];
  for (const row2 of rows) {
    if (found.length >= limit) break;
    if (live === void 0 || row2.live === live) found.push(row2.record);
  }
  return found;
}
function firstOf(items, limit) {
  const first = [];
  for (const item of items) {
    if (first.length >= limit) break;
    first.push(item);
  }
  return first;
}
function recordOf(row2) {
  if (row2 === void 0) return null;
  const { position, ...record } = row2.record;
  return record;
}
function forgetExpired(kept, now) {
  const before = kept.size;
  for (const [name, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(name);
  return before - kept.size;
}

// src/simulated-world/process-memory.ts
function createProcessMemory() {
  const documents = /* @__PURE__ */ new Map();
  const place = (shelf2, key) => `${shelf2} ${key}`;
  return {
    read: (shelf2, key) => documents.get(place(shelf2, key))?.body ?? null,
    write(written) {
      for (const document of written) documents.set(place(document.shelf, document.key), document);
    },
    list(shelf2, { parent, limit }) {
      const found = [...documents.values()].filter(
        (document) => document.shelf === shelf2 && (parent === void 0 || document.parent === parent)
      );
      return found.reverse().slice(0, limit);
    },
    close() {
    }
  };
}

// src/platform/clock.ts
var LONGEST_WAIT_MS = 6e4;
var HELD_STEP_BACK_MS = 5e3;
function systemClock(machine = MACHINE) {
  let latest = machine.now();
  const now = () => {
    const read2 = machine.now();
    const held = read2 < latest && latest - read2 <= HELD_STEP_BACK_MS;
    if (!held) latest = read2;
    return latest;
  };
  return { now, alarm: (at, callback) => alarmOn(machine, now, at, callback) };
}
function alarmOn(machine, now, at, callback) {
  let callOff = () => {
  };
  const approach = () => {
    const left = Math.max(0, at - now());
    callOff = machine.wait(Math.min(left, LONGEST_WAIT_MS), () => now() < at ? approach() : callback());
  };
  approach();
  return { cancel: () => callOff() };
}
var MACHINE = {
  now: () => Date.now(),
  wait: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  }
};

// src/platform/random.ts
import { randomBytes, randomUUID } from "node:crypto";
function systemRandom() {
  return { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
}

// src/platform/metrics.ts
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
var REQUEST_SECONDS = [5e-4, 1e-3, 25e-4, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
var GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const running = new Gauge({
    name: "tollgate_transactions_running",
    help: "Counter transactions that have not finished.",
    registers: [registry]
  });
  return {
    meters: engineMeters(registry, running),
    observeRequest: requestMeter(registry),
    transactionsResumed: (count) => running.inc(count),
    contentType: registry.contentType,
    text: () => registry.metrics()
  };
}
function engineMeters(registry, running) {
  const registers = [registry];
  const groups = new Histogram({
    name: "tollgate_commit_group_size",
    help: "Commits written with one sync to disk: the sum counts commits, the count counts syncs.",
    buckets: GROUP_SIZES,
    registers
  });
  const retries = new Counter({
    name: "tollgate_effects_retried_total",
    help: "Effects that failed and were tried again.",
    labelNames: ["type"],
    registers
  });
  const started3 = new Counter({
    name: "tollgate_transactions_started_total",
    help: "Counter transactions that were started.",
    labelNames: ["type"],
    registers
  });
  const finished2 = new Counter({
    name: "tollgate_transactions_finished_total",
    help: "Counter transactions that have finished.",
    labelNames: ["type", "result"],
    registers
  });
  return {
    committed: (groupSize) => groups.observe(groupSize),
    effectRetried: (type) => retries.inc({ type }),
    transactionStarted: (type) => {
      started3.inc({ type });
      running.inc();
    },
    transactionFinished: (type, result) => {
      finished2.inc({ type, result });
      running.dec();
    }
  };
}
function requestMeter(registry) {
  const requests = new Counter({
    name: "tollgate_http_requests_total",
    help: "Requests answered.",
    labelNames: ["operation", "status"],
    registers: [registry]
  });
  const durations = new Histogram({
    name: "tollgate_http_request_duration_seconds",
    help: "Time from the request to the end of its answer.",
    labelNames: ["operation"],
    buckets: REQUEST_SECONDS,
    registers: [registry]
  });
  return (operation, status, seconds) => {
    requests.inc({ operation, status });
    durations.observe({ operation }, seconds);
  };
}

// src/sandbox-seed.ts
var SCRIPT_CODES = ["SIP0", "DIP0", "SCD0", "SIS0", "UIP0", "TIP0", "CIP0", "VIP0", "SCN0"];
function scriptedTerminals(tag) {
  return SCRIPT_CODES.map((code) => `VCM${tag}${code}`);
}
function sandboxProfile(name, currency, timeZone) {
  return { name, address: "1 Harbour Street", merchantNumber: "21249872", currency, timeZone, public: false };
}
function seedAccounts(timeZone) {
  return [
    {
      id: "demo",
      apiKey: "demo-api-key",
      profile: { ...sandboxProfile("Corner Shop", "GBP", timeZone), public: true },
      terminals: [...scriptedTerminals("DEMO"), "22160001", "22160002"]
    },
    {
      id: "demo-eur",
      apiKey: "demo-eur-api-key",
      profile: { ...sandboxProfile("Corner Shop Dublin", "EUR", "Europe/Dublin"), public: true },
      terminals: [...scriptedTerminals("EURO"), "22160003", "22160004"]
    }
  ];
}
async function seedSandbox(provisioning, timeZone) {
  for (const { id, apiKey, profile, terminals } of seedAccounts(timeZone))
    await provisioning.openAccount({ id, profile, keyLabel: "demo", secret: apiKey, driver: "simulated", terminals });
}

// ../../tmp/micro.ts
var log = { info() {
}, warn() {
}, error(f) {
  console.error(f);
} };
var clock = systemClock();
var random = systemRandom();
var m = openMetrics();
var g = wire({ clock, random, log, meters: m.meters, store: openMemoryStore(), simulated: { memory: createProcessMemory(), paceMs: 0 }, limits: { transactionMs: 2e5, keyedMs: 4e5, signatureMs: 8e4 }, cachedRecords: 1e3 });
await seedSandbox(g.provisioning, "Europe/London");
await g.start();
var metrics = { observe: m.observeRequest, text: m.text, contentType: "" };
var api = createApi({ ...g, clock, random, log, metrics, openTestAccount: null, ready: () => [], settings: { mode: "sandbox", publicUrl: null, trustedProxies: [], defaultVersion: "v2", partnerHeaders: "require", strictCompletion: false, corsOrigins: "*", bodyLimitBytes: 65536, metricsToken: null, programVersion: "0", publicKey: null } });
var auth = "Basic " + Buffer.from("x:demo-api-key").toString("base64");
var r = await api.inject({ method: "POST", url: "/pac/terminals/VCMDEMOSIP0/transactions", headers: { host: "h", authorization: auth }, payload: { transactionType: "SALE", amount: 2599, currency: "GBP" } });
var url = new URL(r.json().location).pathname;
var handler = api.server.listeners("request")[0];
var Res = class {
  statusCode = 200;
  writeHead() {
    return this;
  }
  end() {
  }
  setHeader() {
  }
  once() {
  }
  on() {
  }
  off() {
  }
  get headersSent() {
    return true;
  }
};
var one = () => {
  const req = { method: "GET", url, headers: { host: "h", authorization: auth }, httpVersionMajor: 1, socket: { remoteAddress: "127.0.0.1" }, on() {
  }, once() {
  } };
  handler(req, new Res());
};
for (let round = 0; round < 30; round++) {
  const c0 = process.cpuUsage();
  const N = 2e4;
  for (let i = 0; i < N; i++) {
    one();
    if (i % 16 === 0) await new Promise((r2) => setImmediate(r2));
  }
  const c = process.cpuUsage(c0);
  console.log(((c.user + c.system) / N).toFixed(2), "\xB5s");
}
process.exit(0);
