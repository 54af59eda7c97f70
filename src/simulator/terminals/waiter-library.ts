// src/simulator/terminals/waiter-library.ts — the built-in waiter scripts.
import type { WaiterScript } from '../scenarios/waiter-script.ts'

export const WAITER_SCRIPTS: readonly WaiterScript[] = [
  {
    name: 'look_and_leave',
    title: 'Opens the table, prints the bill and leaves.',
    steps: [{ do: 'print_bill' }, { do: 'leave' }],
  },
  { name: 'pay_in_one', title: 'One card pays the whole bill.', steps: [{ do: 'print_bill' }, { do: 'pay_rest' }] },
  {
    name: 'split_in_three',
    title: 'Three guests pay equal shares, each by card.',
    steps: [{ do: 'print_bill' }, { do: 'split_equally', shares: 3 }, { do: 'pay_rest' }],
  },
  {
    name: 'split_with_cash',
    title: 'Two guests pay equal shares: one by card, one in cash.',
    steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'pay_other' }],
  },
  {
    name: 'declined_then_paid',
    title: 'The first card is declined, the second one pays.',
    steps: [
      { do: 'pay', scenario: 'declined' },
      { do: 'pay', scenario: 'contactless_approved' },
    ],
  },
  {
    name: 'with_gratuity',
    title: 'One card pays the whole bill, with a gratuity of 5.00.',
    steps: [{ do: 'pay', gratuityMinor: 500 }],
  },
  {
    name: 'half_and_leave',
    title: 'One of two halves is paid; the waiter releases the table.',
    steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'leave' }],
  },
  {
    name: 'dies_with_the_lock',
    title: 'The terminal disconnects while it holds the table.',
    steps: [{ do: 'print_bill' }, { do: 'unplug' }],
  },
  {
    name: 'dies_after_a_share',
    title: 'One of two halves is paid; then the terminal disconnects while it holds the table.',
    steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'unplug' }],
  },
  {
    name: 'line_lost_before_approval',
    title: 'The connection to the terminal is lost before authorisation, for a while.',
    steps: [{ do: 'pay', scenario: 'approved+link_lost_before_authorisation' }, { do: 'leave' }],
  },
  {
    name: 'line_lost_after_approval',
    title: 'The payment is approved, and the connection is lost before the terminal reports it.',
    steps: [{ do: 'pay', scenario: 'approved+link_lost_after_authorisation' }, { do: 'leave' }],
  },
  {
    name: 'approved_and_forgotten',
    title: 'The terminal hangs after the approval, before it shows it: the payment is reversed.',
    steps: [{ do: 'pay', scenario: 'silent_after_approval' }, { do: 'leave' }],
  },
]
