/** EX_CONFIG of sysexits.h: starting again without a change is of no use. */
export const MISCONFIGURED = 78

/** A start that the operator has to change something for; the message says what, on one line. */
export class Misconfigured extends Error {}

/** The exit code of a program that ended with this error. */
export const exitCodeOf = (error: unknown): number => (error instanceof Misconfigured ? MISCONFIGURED : 1)
