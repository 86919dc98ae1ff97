/**
 * An archive is gzipped text, so that it can be read without this program (`gunzip -c FILE | less`). Its
 * first line is JSON that describes it. Sections follow: a line of JSON, lines of content, and a line `\.`,
 * which no content contains. The last line has the number of rows and the SHA-256 of everything before it.
 */
export const FORMAT = 'dropwright backup'
/** Since version 2, an archive may hold the campaign file and its pictures. */
export const FORMAT_VERSION = 2

export const END_OF_SECTION = '\\.\n'

/** The longest that a line of JSON in an archive may be. */
export const MAX_HEAD_BYTES = 4_000_000

export type AppliedMigration = { name: string; sha256: string }

/** The first line. */
export type ArchiveHead = {
  format: typeof FORMAT
  version: number
  /** When the snapshot was taken: ISO 8601, UTC. */
  createdAt: string
  /** The version of PostgreSQL that it was taken from. */
  postgres: string
  migrations: readonly AppliedMigration[]
  /** Identifies the secret that the data was written with, without revealing it. */
  secretFingerprint?: string
}

/** The line before a section's content. */
export type SectionHead =
  /** Rows in PostgreSQL's text format for COPY. */
  | { table: string; columns: readonly string[] }
  | { sequences: Readonly<Record<string, { value: string; isCalled: boolean }>> }
  /** A file of this name, in lines of base64. */
  | { file: string }

/** The last line. */
export type ArchiveEnd = { rows: number; sha256: string }

/** Content arrives in pieces of any size; every line of it ends with a line break. */
export type Section = { head: SectionHead; content: AsyncIterable<Buffer> | Iterable<Buffer> }

/** The archive cannot be used; the one-line message says why. */
export class UnusableArchive extends Error {}
