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
  unsuccessful: title('The terminal cannot connect to the acquirer: UNSUCCESSFUL.', '17'),
  cancelled: title('Cancelled on the terminal after PIN entry.', '13'),
  timed_out: title('The terminal stops responding: TIMED_OUT.', '15'),
  void: title('Approved, then voided by the terminal.'),
  void_unanswered: title(
    'Approved, then voided by the terminal; the acquirer answers the reversal only after a minute.',
  ),
  signature: title('Chip and signature; the till decides.', '4 to 6'),
  chip_pin_approved: title('Chip and PIN, approved.', '1, 18, 20 to 28'),
  contactless_approved: title('Contactless card, no cardholder verification, approved.', '2'),
  device_approved: title('Phone or watch, approved.', '3'),
  chip_signature: title('Chip and signature; the till decides.', '4 to 6'),
  swipe_signature: title('Magnetic stripe and signature; the till decides.', '4 to 6'),
  signature_decision_too_late: title('The signature decision arrives while its time-out is handled.', '7'),
  chip_pin_declined: title('Chip and PIN, declined by the issuer.', '8'),
  insufficient_funds: title('Declined: insufficient funds.', '8'),
  lost_or_stolen: title('Declined: the card is lost or stolen.', '8'),
  referred: title('Declined with a referral: `userMessage` says that the issuer asks for a call.', '8'),
  declined_by_card: title('Declined by the chip.', '9'),
  pin_wrong_once: title('The first PIN is wrong, the second one is right.'),
  cancelled_at_card: title('Cancelled on the terminal before a card is presented.', '13'),
  cancelled_at_pin: title('Cancelled on the terminal after PIN entry.', '13'),
  nobody_presents_card: title('No card is presented; the keys can be used.', '10, 11, 14'),
  silent_after_pin: title('The terminal stops responding after PIN entry.', '15'),
  card_left_in: title('The card stays in the reader despite the prompt to remove it.', '15'),
  silent_after_approval: title(
    'The terminal hangs after the approval, before it shows it: the payment is reversed.',
    '15',
  ),
  completed_unheard: title('Approved and shown, but the final report is lost: the payment stands.', '15'),
  card_pulled_out: title('The card is removed too early.', '16'),
  line_fails_once: title('The first connection to the acquirer fails; each stage is reported.'),
  technical_failure: title('The terminal cannot connect to the acquirer: UNSUCCESSFUL.', '17'),
  voided: title('Approved, then voided by the terminal.'),
  keyed: title('The card number is keyed, with the card present.', '19'),
  removal_prompted: title('The terminal prompts for card removal before the end.'),
  cashback_prompted: title('The terminal prompts for cashback.'),
  bad_swipe: title('The first swipe cannot be read.', '29'),
  present_again: title('The card must be tapped again.', '29'),
  two_cards: title('Two cards are presented at first.', '29'),
  insert_instead: title('The card is tapped first and must be inserted.', '29'),
  card_expired: title('The card has expired.', '30'),
  card_not_supported: title('The card scheme is not accepted.', '30'),
  paper_out_at_start: title('The printer has no paper from the start.', '31'),
  paper_runs_out: title('The paper runs out when printing starts.', '31'),
}
