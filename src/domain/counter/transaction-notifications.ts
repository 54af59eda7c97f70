// src/domain/counter/transaction-notifications.ts — derives notifications from events; a notification is never a state.
import { isPassing, type Notification } from './notifications.ts'
import type { TransactionEvent } from './transaction-events.ts'

/** Notifications of a start. */
const JUST_STARTED: readonly Notification[] = ['TRANSACTION_STARTED']

/** The notifications that one event adds, oldest first. `sofar` is the list before it, oldest first. */
export function notificationsOf(event: TransactionEvent, sofar: readonly Notification[]): readonly Notification[] {
  switch (event.type) {
    case 'started':
      return event.paperOut ? ['REPLACE_PAPER', ...JUST_STARTED] : JUST_STARTED
    case 'prompted':
      return [event.prompt]
    case 'paper_ran_out':
      return ['REPLACE_PAPER']
    case 'card_read':
      return ['PLEASE_WAIT']
    case 'pin_requested':
      return ['PIN_ENTRY']
    case 'linking':
      return [event.stage]
    case 'signature_requested':
      return ['SIGNATURE_VERIFICATION']
    case 'signature_decided':
      return ['SIGNATURE_VERIFICATION_IN_PROGRESS']
    case 'signature_timed_out':
      return ['SIGNATURE_VERIFICATION_TIMEOUT']
    case 'signature_applied':
      return ['SIGNATURE_VERIFICATION_PROCESS_COMPLETED']
    case 'signature_not_applied':
      return ['SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED']
    case 'outcome_shown':
      return [event.outcome]
    case 'card_removal_prompted':
      return ['REMOVE_CARD']
    case 'cancel_requested':
      return ['ATTEMPTING_CANCEL']
    case 'cancel_accepted':
      return ['CANCELLING']
    case 'cancel_refused': {
      const inForce = sofar.findLast(notification => !isPassing(notification))
      // Repeated for tills that read only the newest entry: they must see what the terminal is waiting for.
      return event.atEnd || inForce === undefined
        ? ['UNABLE_TO_CANCEL', 'UNABLE_TO_CANCEL_TRANSACTION']
        : ['UNABLE_TO_CANCEL', 'UNABLE_TO_CANCEL_TRANSACTION', inForce]
    }
    case 'cancel_done':
      return ['CANCELLED_TRANSACTION']
    case 'ended':
    case 'timed_out':
      return ['TRANSACTION_FINISHED']
    case 'asked_too_late':
    case 'authorisation_requested':
    case 'authorisation_approved':
    case 'authorisation_declined':
    case 'authorisation_unanswered':
    case 'authorisation_confirmed':
    case 'reversal_requested':
    case 'reversed':
    case 'found_successful':
    case 'found_unsuccessful':
    case 'closed_as_taken':
    case 'closed_as_not_taken':
    case 'found_after_closing':
      return []
  }
}
