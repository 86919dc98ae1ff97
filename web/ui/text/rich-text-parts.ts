/** Words of a message, with the name of their tag, if they have one. */
export type Part = { tag?: string; words: string }

/** Divides a message at its tags, which cannot be nested. A tag that is not closed is part of the words. */
export function partsOf(text: string): Part[] {
  // The pieces alternate: words without a tag, the name of a tag, the words in that tag.
  const pieces = text.split(/<(\w+)>(.*?)<\/\1>/s)
  return pieces.flatMap((piece, index): Part[] => {
    if (index % 3 === 0) return piece === '' ? [] : [{ words: piece }]
    return index % 3 === 1 ? [{ tag: piece, words: pieces[index + 1] ?? '' }] : []
  })
}
