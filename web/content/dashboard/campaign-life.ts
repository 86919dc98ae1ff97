import { CAMPAIGN_LIFE as CAMPAIGN_LIFE_MESSAGES } from '#messages/dashboard-campaign-life.js'

const grouped = (figure: number) => figure.toLocaleString('en')

/** Texts of the dashboard’s campaign section. */
export const CAMPAIGN_LIFE = {
  ...CAMPAIGN_LIFE_MESSAGES,
  totalHint: (total: number) =>
    `At least ${grouped(total + 1)}. People on the waiting list get the new slots first.`,
}
