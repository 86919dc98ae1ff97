import { randomBytes } from 'node:crypto'

/** A random private address. */
export function freshIp(): string {
  const [a, b, c] = randomBytes(3)
  return `10.${a}.${b}.${c}`
}
