// src/simulator/terminals/waiter-library.ts — the built-in waiter scripts.
import type { WaiterScript } from '../scenarios/waiter-script.ts'

export const WAITER_SCRIPTS: readonly WaiterScript[] = [
  {
    name: 'look_and_leave',
    title: 'Takes the table up, prints the bill, and goes.',
    steps: [{ do: 'print_bill' }, { do: 'leave' }],
  },
  { name: 'pay_in_one', title: 'One card pays all of it.', steps: [{ do: 'print_bill' }, { do: 'pay_rest' }] },
  {
    name: 'split_in_three',
    title: 'Three guests pay the same, each by card.',
    steps: [{ do: 'print_bill' }, { do: 'split_equally', shares: 3 }, { do: 'pay_rest' }],
  },
  {
    name: 'split_with_cash',
    title: 'Two guests pay the same: one by card, one in cash.',
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
    title: 'One card pays all of it, and 5.00 for the waiter.',
    steps: [{ do: 'pay', gratuityMinor: 500 }],
  },
  {
    name: 'half_and_leave',
    title: 'One of two halves is paid; the waiter gives the table back.',
    steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'leave' }],
  },
  {
    name: 'dies_with_the_lock',
    title: 'The terminal dies while it holds the table.',
    steps: [{ do: 'print_bill' }, { do: 'unplug' }],
  },
  {
    name: 'dies_after_a_share',
    title: 'One of two halves is paid; then the terminal dies while it holds the table.',
    steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay' }, { do: 'unplug' }],
  },
  {
    name: 'line_lost_before_approval',
    title: 'The line to the terminal is lost before it asks for the money, and back after a while.',
    steps: [{ do: 'pay', scenario: 'approved+link_lost_before_authorisation' }, { do: 'leave' }],
  },
  {
    name: 'line_lost_after_approval',
    title: 'The money is taken, and the line is lost before the terminal can say so.',
    steps: [{ do: 'pay', scenario: 'approved+link_lost_after_authorisation' }, { do: 'leave' }],
  },
  {
    name: 'approved_and_forgotten',
    title: 'The acquirer approves, the terminal hangs before it has shown it: the money is given back.',
    steps: [{ do: 'pay', scenario: 'silent_after_approval' }, { do: 'leave' }],
  },
]
