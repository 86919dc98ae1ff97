import { ALLOCATION as ALLOCATION_MESSAGES } from '#messages/allocation.js'
/** Texts of the public check of an allocation: the page `/allocation`, and the static site that outlives the server. */
export const ALLOCATION = {
  ...ALLOCATION_MESSAGES,
  how: {
    title: 'What this proves',
    text: [
      'The root is a fingerprint of the whole list of wallets and amounts. Changing one digit of one amount changes it.',
      'Your browser hashes the wallet with its amounts and then with the hashes of the proof. If the result is the published root, the entry is part of that list.',
    ],
  },
  not: {
    title: 'What it does not prove',
    text: [
      'It doesn’t prove that the payout was sent; only the chain shows that. It doesn’t prove that the amounts are fair, either; the journal records every decision behind them.',
      'It doesn’t prove that every approval still stands. Some may have been undone or added since the freeze, and the frozen list doesn’t change. “Changed since” counts them.',
      'Compare the root with the one the organizers announced, or with an independent copy. A page can only prove that an entry belongs to the root it shows.',
    ],
  },
}
