import type { Database } from '#server/platform/database/database.ts'

/** A database that counts the statements of what it is used for. */
export function countStatements(database: Database) {
  let statements = 0
  const db = database.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  /** @returns how many statements `work` runs. */
  const countOf = async (work: () => Promise<unknown>) => {
    statements = 0
    await work()
    return statements
  }
  return { db, countOf }
}
