/** Words of a message, with the name of the tag around them, if any. */
export type Part = { tag?: string; words: string }

/** Divides a message at its tags, which cannot be nested. One that is not closed is part of the words. */
export function partsOf(text: string): Part[] {
  // The pieces take turns: words without a tag, the name of a tag, the words in it.
  const pieces = text.split(/<(\w+)>(.*?)<\/\1>/s)
  return pieces.flatMap((piece, index): Part[] => {
    if (index % 3 === 0) return piece === '' ? [] : [{ words: piece }]
    return index % 3 === 1 ? [{ tag: piece, words: pieces[index + 1] ?? '' }] : []
  })
}
