/** Names of the points: those in the token, and those in the chain's native coin. */
export const pointsIn = (symbol: string) => `${symbol} Points`

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

/**
 * A count at the start of a sentence, up to ten in words: “Four tasks”, “One task”.
 * @param count a non-negative integer.
 */
export function counted(count: number, one: string, many: string): string {
  return `${WORDS[count] ?? String(count)} ${count === 1 ? one : many}`
}
