import { randomBytes } from 'node:crypto'

/** An address nobody else in this run has. */
export function freshIp(): string {
  const [a, b, c] = randomBytes(3)
  return `10.${a}.${b}.${c}`
}
