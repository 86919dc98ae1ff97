let addresses = 0
/** 2^24 divided by the golden ratio: its multiples spread evenly. It is odd, so all 2^24 of them differ. */
const STRIDE = 0x9e_37_79

/** A private address that no other call in this process returns. Successive ones are far apart. */
export function freshIp(): string {
  addresses += 1
  const number = (addresses * STRIDE) % 2 ** 24
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
}
