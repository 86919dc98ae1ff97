let addresses = 0

/** A private address that no other call in this process returns, far from those returned before and after. */
export function freshIp(): string {
  addresses += 1
  // An odd factor is invertible modulo 2^24: the first 16 million addresses differ.
  const number = (addresses * 0x9e_37_79) % 2 ** 24
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
}
