import { KEYS as KEYS_MESSAGES } from '#messages/dashboard-review.js'

export const KEYS = {
  ...KEYS_MESSAGES,
  list: [
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['o', 'Open or close the card'],
    ['v', 'Verify'],
    ['r', 'Reject'],
    ['u', 'Undo the decision'],
    ['x', 'Select'],
    ['?', 'Show this help'],
  ],
}
