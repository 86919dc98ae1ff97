import { COPY as COPY_MESSAGES } from '#messages/islands.js'
/** Labels of the buttons that copy the contract address. */
export const COPY = {
  ...COPY_MESSAGES,
  shownForMs: 2000,
}
