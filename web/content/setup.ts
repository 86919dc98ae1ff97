import { CHECKS as CHECKS_MESSAGES } from '#messages/dashboard-setup.js'

export const CHECKS = {
  ...CHECKS_MESSAGES,
  summary: (wrong: number, untold: number) =>
    wrong === 0 && untold === 0
      ? 'Everything works.'
      : wrong === 0
        ? `No problems found, but ${untold === 1 ? '1 check was' : `${untold} checks were`} inconclusive.`
        : `${wrong === 1 ? '1 check' : `${wrong} checks`} found a problem. You can continue and fix ${wrong === 1 ? 'it' : 'them'} later.`,
}
