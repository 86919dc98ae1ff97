import { isDeepStrictEqual } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database } from '#server/platform/database/database.ts'
import { problemIn } from './faults.ts'
import { applyOverrides, readOverrides } from './overrides.ts'
import { readSetting } from './setting-paths.ts'

/** What an operator has to know about the overrides when the server starts: a line each, none if all is as expected. */
export async function describeOverrides(db: Database, file: CampaignFile): Promise<string[]> {
  const overrides = (await readOverrides(db, file.id))?.overrides ?? []
  const { ignored } = applyOverrides(file, overrides)
  const changedBeneath = overrides
    .filter(({ path }) => !ignored.some((each) => each.path === path))
    .filter(({ path, fileValue }) => !isDeepStrictEqual(fileValue, readSetting(file, path) ?? null))
    .map(({ path }) => path)
  return [
    ...(changedBeneath.length > 0
      ? [
          `The campaign file has changed, but overrides still take precedence: ${changedBeneath.join(', ')}. To follow the file: npm run settings -- unset PATH`,
        ]
      : []),
    ...ignored.map(
      ({ path, problem }) =>
        `An override is ignored, and the campaign file counts: ${problemIn(problem)}. To remove it: npm run settings -- unset ${path}`,
    ),
  ]
}
