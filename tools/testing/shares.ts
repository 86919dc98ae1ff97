/** Tests that start processes and take half a minute each, so none may be among the last to begin. */
export const LONGEST = [
  'server/main.test.ts',
  'server/platform/database/embedded-postgres.test.ts',
  'server/open-database.test.ts',
]
/** A process needs a second to load the server, so a share has to be worth it. */
const MIN_FILES = 12

/**
 * Splits test files into shares, each for a process of its own: large ones first, because every process loads
 * the server anew, and small ones last, so that no process works on alone for long. Neighbors, which often
 * take equally long, and the longest files go to different shares.
 * @param processes how many run at a time.
 */
export function sharesOf(files: readonly string[], processes: number): string[][] {
  const sizes = sizesOf(files.length, processes)
  const shares = sizes.map((): string[] => [])
  const isLong = (file: string) => LONGEST.includes(file)
  let index = 0
  for (const file of [...files.filter(isLong), ...files.filter((one) => !isLong(one))]) {
    while (shares[index]?.length === sizes[index]) index = (index + 1) % shares.length
    shares[index]?.push(file)
    index = (index + 1) % shares.length
  }
  return shares
}

/** A share has two thirds of what each process would get if the files that are left were divided equally. */
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
