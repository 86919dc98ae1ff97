const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

/** How many there are of something, as the first word of a sentence: “Four tasks”, “One task”. @param count Whole, from 0. */
export function counted(count: number, one: string, many: string): string {
  return `${WORDS[count] ?? String(count)} ${count === 1 ? one : many}`
}
