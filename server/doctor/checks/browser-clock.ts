import { type Finding, judged } from '../finding.ts'
import { WORDS } from '../words.ts'

const { browserClock: words } = WORDS
/** Seconds: what pages count down is wrong by as much, besides the time that the request took. */
const MAX_DIFFERENCE = 30

/** @param browser and @param server: milliseconds since 1970 by both clocks, when the request arrived. */
export function judgeBrowserClock(browser: number, server: number): Finding {
  const apart = Math.abs(browser - server) / 1_000
  return judged(apart > MAX_DIFFERENCE ? [words.apart(apart)] : [], words.fine)
}
