// src/simulator/scenarios/titles.ts — title of each built-in scenario, and the rows it plays of the published table of
// sequences (docs/scenarios.md).
import type { ScenarioName } from './built-in.ts'

export interface Title {
  readonly title: string
  readonly rows: string
}

const title = (text: string, rows = ''): Title => ({ title: text, rows })

export const TITLES: Readonly<Record<ScenarioName, Title>> = {
  approved: title('Chip and PIN, approved.', '1, 18, 20 to 28'),
  declined: title('Chip and PIN, declined by the issuer.', '8'),
  unsuccessful: title('The line fails: unsuccessful.', '17'),
  cancelled: title('Cancelled on the terminal after the PIN.', '13'),
  timed_out: title('The terminal goes silent: timed out at the limit.', '15'),
  void: title('Approved, and then undone by the terminal.'),
  void_unanswered: title('Approved and undone by the terminal; the acquirer reverses it only after a minute.'),
  signature: title('Chip and signature; the till decides.', '4 to 6'),
  chip_pin_approved: title('Chip and PIN, approved.', '1, 18, 20 to 28'),
  contactless_approved: title('Contactless card, no check, approved.', '2'),
  device_approved: title('Phone or watch, approved.', '3'),
  chip_signature: title('Chip and signature; the till decides.', '4 to 6'),
  swipe_signature: title('Stripe and signature; the till decides.', '4 to 6'),
  signature_decision_too_late: title('The decision comes while the time-out is handled.', '7'),
  chip_pin_declined: title('Chip and PIN, declined by the issuer.', '8'),
  insufficient_funds: title('Declined: not enough money.', '8'),
  lost_or_stolen: title('Declined: the card is lost or stolen.', '8'),
  referred: title('Declined: the issuer asks for a call, and the till is told.', '8'),
  declined_by_card: title('Declined by the chip.', '9'),
  pin_wrong_once: title('The first PIN is wrong, the second one is right.'),
  cancelled_at_card: title('Cancelled on the terminal before a card.', '13'),
  cancelled_at_pin: title('Cancelled on the terminal after the PIN.', '13'),
  nobody_presents_card: title('Nobody presents a card; keys may still be pressed.', '10, 11, 14'),
  silent_after_pin: title('The terminal goes silent after the PIN.', '15'),
  card_left_in: title('The card is left in although the prompt asks for it.', '15'),
  silent_after_approval: title('Approved, and the terminal hangs before it shows it: the money is given back.', '15'),
  completed_unheard: title('Approved and shown, and the till never hears of it: the money stays.', '15'),
  card_pulled_out: title('The card is pulled out too early.', '16'),
  line_fails_once: title('The line fails once; every stage of it is told.'),
  technical_failure: title('The line fails: unsuccessful.', '17'),
  voided: title('Approved, and then undone by the terminal.'),
  keyed: title('The number is typed in with the card present.', '19'),
  removal_prompted: title('The card is asked for before the end.'),
  cashback_prompted: title('The terminal asks for cashback.'),
  bad_swipe: title('The stripe is not read at first.', '29'),
  present_again: title('The card has to be tapped again.', '29'),
  two_cards: title('Two cards in the field at first.', '29'),
  insert_instead: title('Tapped first; the chip has to be used.', '29'),
  card_expired: title('The card has expired.', '30'),
  card_not_supported: title('A scheme that is not taken here.', '30'),
  paper_out_at_start: title('The paper roll is empty from the start.', '31'),
  paper_runs_out: title('The paper roll runs out at printing.', '31'),
}
