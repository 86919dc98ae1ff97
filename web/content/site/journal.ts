import type { PublishedHead } from '#contract/journal.ts'

/** A head in the format of `--head`. */
export const headText = ({ hash, number }: PublishedHead) => `${hash}@${number}`
