import { useQuery } from '@tanstack/react-query'
import { exportSettings, type Settings } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { INTL_TAG } from '#messages/locale.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { Button } from '#web/ui/button.tsx'
import type { Route } from '#web/routes.ts'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { useDownload } from '../api/use-download.ts'
import { Editor } from './editor.tsx'
import { findNamesLeft } from './names-left.ts'
import { SETTINGS_QUERY, useSaveSettings } from './use-settings.ts'

export default function SettingsScreen() {
  // A refetch must not change a form while it is being filled in.
  const settings = useQuery({ ...SETTINGS_QUERY, refetchOnWindowFocus: false })
  const { mutate: download } = useDownload(SETTINGS.downloadFailed)
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.settings} error={settings.error}>
      <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-2xl">{SETTINGS.title}</h1>
        <Button variant="quiet" size="compact" onClick={() => download({ endpoint: exportSettings })}>
          {SETTINGS.download}
        </Button>
      </div>
      <p className="mt-2 max-w-prose text-ink-soft">
        {SETTINGS.lead} <RichText text={SETTINGS.look} tags={{ link: linkTo(DASHBOARD_ROUTES.look) }} />{' '}
        <RichText text={SETTINGS.environment} tags={{ link: linkTo(DASHBOARD_ROUTES.checks) }} />
      </p>
      <QueryContent query={settings} words={SETTINGS} heights={['h-12', 'h-96']}>
        {(data) => (
          <>
            <IgnoredOverrides settings={data} />
            <NamesLeft settings={data} />
            <Editor settings={data} />
          </>
        )}
      </QueryContent>
    </DashboardScreen>
  )
}

const linkTo = ({ path }: Route) => <ScreenLink href={path} className="text-link" />

/** Saved values that are not in effect, because they do not fit this version or the campaign file. */
function IgnoredOverrides({ settings: { ignored, revision } }: { settings: Settings }) {
  const saving = useSaveSettings()
  if (ignored.length === 0) return null
  const changes = ignored.map(({ path }) => ({ path, unset: true as const }))
  return (
    <section className="mt-6 grid justify-items-start gap-3 rounded-md border border-ink p-4">
      <p className="font-semibold">{SETTINGS.ignored}</p>
      <ul className="list-disc ps-5">
        {ignored.map(({ path, problem }) => (
          <li key={path}>{problem}</li>
        ))}
      </ul>
      <Button
        variant="secondary"
        isPending={saving.isPending}
        onClick={() => saving.mutate({ revision, changes })}
      >
        {SETTINGS.removeIgnored}
      </Button>
    </section>
  )
}

/** Warns of texts that still have a former name of the token. */
function NamesLeft({ settings: { settings } }: { settings: Settings }) {
  const { names, groups } = findNamesLeft(settings)
  if (names.length === 0) return null
  const quoted = names.map((name) => `“${name}”`)
  return (
    <p role="status" className="mt-6 max-w-prose border-s-4 border-accent ps-4 font-semibold">
      {SETTINGS.namesLeft({ names: OR.format(quoted), groups: AND.format(groups) })}
    </p>
  )
}

const OR = new Intl.ListFormat(INTL_TAG, { type: 'disjunction' })
const AND = new Intl.ListFormat(INTL_TAG)
