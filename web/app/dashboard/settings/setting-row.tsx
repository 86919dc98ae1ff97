import type { Change, Setting } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { type SettingField } from '#web/content/dashboard/settings.ts'
import { Ago, withLocalTimes } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { type Drafts, draftedValue, keepDrafts, withFileValue, withValue } from './drafts.ts'
import { sentenceOf } from './problems.tsx'
import { SettingInput } from './setting-input.tsx'
import { textOf } from './values.ts'

type SettingRowProps = {
  field: SettingField
  setting: Setting
  drafts: Drafts
  errors: Readonly<Record<string, string>>
}

export function SettingRow({ field, setting, drafts, errors }: SettingRowProps) {
  const { path } = field
  const draft = drafts[path]
  const sentences = Object.fromEntries(
    Object.entries(errors).map(([refusedPath, text]) => [refusedPath, sentenceOf(refusedPath, text)]),
  )
  const isUnset = draft !== undefined && 'unset' in draft
  const canReturnToFile = !isUnset && (draft !== undefined || setting.source === 'override')
  return (
    <div id={`setting-${path}`} className="grid grid-cols-1 gap-2 border-t border-hairline pt-5">
      <SettingInput
        {...field}
        value={draftedValue(drafts, setting)}
        onChange={(value) => keepDrafts(withValue(drafts, setting, value))}
        errors={sentences}
      />
      {/* What participants may rely on, and so how the value may still change. */}
      {setting.promise && errors[path] === undefined && (
        <p className="text-sm text-ink-soft">
          {SETTINGS.promise} {sentenceOf(path, setting.promise)}
        </p>
      )}
      <p className="flex min-h-9 flex-wrap items-center gap-x-4 text-sm text-ink-soft">
        <Source setting={setting} draft={draft} />
        {canReturnToFile && (
          <Button variant="quiet" size="compact" onClick={() => keepDrafts(withFileValue(drafts, setting))}>
            {SETTINGS.backToFile}
          </Button>
        )}
      </p>
    </div>
  )
}

function Source({ setting, draft }: { setting: Setting; draft: Change | undefined }) {
  const languageCount = setting.languages.length
  if (draft)
    return (
      <>
        <strong className="font-semibold text-accent-text">
          {'unset' in draft ? SETTINGS.willFollow : SETTINGS.unsaved}
        </strong>
        {/* Someone else may have changed the saved value since this screen was opened. */}
        <ShownValue label={SETTINGS.savedSays} value={setting.value} />
        {'value' in draft && languageCount > 0 && <span>{SETTINGS.rewording}</span>}
      </>
    )
  const inLanguages = languageCount > 0 && <span>{SETTINGS.inLanguages({ count: languageCount })}</span>
  if (setting.source === 'file')
    return (
      <>
        <span>{SETTINGS.fromFile}</span>
        {inLanguages}
      </>
    )
  return (
    <>
      <span>
        <strong className="font-semibold text-ink">{SETTINGS.changed({ who: setting.changedBy })}</strong>
        {setting.changedAt && (
          <>
            , <Ago at={setting.changedAt} />
          </>
        )}
      </span>
      {inLanguages}
      <ShownValue label={SETTINGS.fileSays} value={setting.fileValue} />
    </>
  )
}

function ShownValue({ label, value }: { label: string; value: unknown }) {
  const text = shownValue(value)
  return (
    <span className="max-w-full truncate" title={text}>
      {label} {text}
    </span>
  )
}

const MAX_SHOWN_LENGTH = 60

function shownValue(value: unknown): string {
  if (value === null) return SETTINGS.nothing
  if (Array.isArray(value)) return SETTINGS.listOf({ count: value.length })
  const text = withLocalTimes(textOf(value))
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
