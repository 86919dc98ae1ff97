import { PERSON as PERSON_MESSAGES } from '#messages/dashboard-people.js'

export const PERSON = {
  ...PERSON_MESSAGES,
  slotOf: (number: number, state: 'claimed' | 'kept' | 'reserved') =>
    `${number}${{ claimed: '', kept: ', kept after a rejection', reserved: ', reserved' }[state]}`,
}
