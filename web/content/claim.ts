import { YOUR_CLAIM as YOUR_CLAIM_MESSAGES } from '#messages/claim.js'

/** The participant's own claim on the profile. Some statuses are worded differently from Task Status. */
export const YOUR_CLAIM = {
  ...YOUR_CLAIM_MESSAGES,
  queue: (place: number, wait: string | null) =>
    `Number ${place.toLocaleString('en')} in the review queue.${wait ? ` Most decisions currently take about ${wait}.` : ''}`,
}
