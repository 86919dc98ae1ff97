/** EX_CONFIG of sysexits.h: a restart without a change is pointless. */
export const MISCONFIGURED = 78

/** The operator has to change something before the next start; the one-line message says what. */
export class Misconfigured extends Error {}

export const exitCodeOf = (error: unknown): number => (error instanceof Misconfigured ? MISCONFIGURED : 1)
