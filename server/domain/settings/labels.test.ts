import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PREVIEW_PAGES } from '#contract/dashboard/settings.ts'
import { SETTING_GROUPS } from '#web/content/dashboard/settings.ts'
import { ROUTES } from '#web/routes.ts'
import { SETTING_PATHS } from '../campaign/settings/setting-paths.ts'

test('every setting has a field on the dashboard, once, with a label of its own in its group', () => {
  const paths = SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ path }) => path))
  // The look has an editor of its own.
  const missing = SETTING_PATHS.filter((path) => !paths.includes(path) && !path.startsWith('look'))
  assert.deepEqual(missing, [], 'add a field to web/content/dashboard/settings.ts')
  const unknown = paths.filter((path) => !SETTING_PATHS.includes(path))
  assert.deepEqual(unknown, [])
  assert.equal(new Set(paths).size, paths.length)
  for (const { fields } of SETTING_GROUPS)
    assert.equal(new Set(fields.map(({ label }) => label)).size, fields.length)
})

test('the pages of previews are pages of the site', () => {
  const pages: string[] = Object.values(ROUTES).flatMap(({ kind, path }) => (kind === 'page' ? [path] : []))
  for (const page of PREVIEW_PAGES) assert.ok(pages.includes(page), page)
})
