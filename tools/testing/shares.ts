/** These take half a minute each, because they start processes. They must not begin late in a run. */
export const LONGEST = [
  'server/main.test.ts',
  'server/platform/database/embedded-postgres.test.ts',
  'tools/docs/commands.test.ts',
]
/** Every process loads the server for a second, so a smaller share is not worth one. */
const MIN_FILES = 12

/**
 * Splits test files into shares, each for one process. The first shares are large, because every process has
 * to load the server. The last are small, so that all processes end at about the same time. Neighboring files
 * often take equally long, so they go to different shares.
 * @param processes how many run at a time
 */
export function sharesOf(files: readonly string[], processes: number): string[][] {
  const sizes = sizesOf(files.length, processes)
  const shares = sizes.map((): string[] => [])
  const isLong = (file: string) => LONGEST.includes(file)
  let index = 0
  for (const file of [...files.filter(isLong), ...files.filter((one) => !isLong(one))]) {
    while (shares[index]?.length === sizes[index]) index = (index + 1) % shares.length // skips full shares
    shares[index]?.push(file)
    index = (index + 1) % shares.length
  }
  return shares
}

/** Each share gets two thirds of an equal division of the remaining files among the processes. */
function sizesOf(count: number, processes: number): number[] {
  const smallest = Math.min(MIN_FILES, Math.ceil(count / processes))
  const sizes: number[] = []
  let left = count
  while (left > 0) {
    const size = Math.min(left, Math.max(smallest, Math.ceil((left * 2) / (processes * 3))))
    sizes.push(size)
    left -= size
  }
  return sizes
}
