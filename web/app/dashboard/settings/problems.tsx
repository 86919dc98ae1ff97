import { useEffect, useRef } from 'react'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { type SettingField, type SettingGroup } from '#web/content/dashboard/settings.ts'
import { withLocalTimes } from '#web/features/time/time.tsx'

type ProblemsProps = {
  groups: readonly SettingGroup[]
  /** Why settings were refused, by the path of the setting or of a part of it. */
  errors: Readonly<Record<string, string>>
  onShow: (groupId: string) => void
}

/** Refused settings of all groups, with buttons that lead to their fields. Gets the focus when it appears. */
export function Problems({ groups, errors, onShow }: ProblemsProps) {
  const summary = useRef<HTMLDivElement>(null)
  const entries = Object.entries(errors)
  useEffect(() => {
    if (Object.keys(errors).length > 0) summary.current?.focus()
  }, [errors])
  if (entries.length === 0) return null
  return (
    <div
      ref={summary}
      role="alert"
      tabIndex={-1}
      className="grid gap-2 rounded-md border-2 border-accent-text p-4"
    >
      <p className="font-semibold">{SETTINGS.problems({ count: entries.length })}</p>
      <ul className="grid gap-1">
        {entries.map(([path, text]) => {
          const place = placeOf(groups, path)
          return (
            <li key={path}>
              {place ? (
                <button
                  type="button"
                  className="text-start underline underline-offset-4"
                  onClick={() => showField(place, onShow)}
                >
                  {SETTINGS.problemOf({ label: place.field.label, text: sentenceOf(path, text) })}
                </button>
              ) : (
                text
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type Place = { group: SettingGroup; field: SettingField }

const placeOf = (groups: readonly SettingGroup[], path: string): Place | undefined =>
  groups
    .flatMap((group) => group.fields.map((field) => ({ group, field })))
    .find(({ field }) => `${path}.`.startsWith(`${field.path}.`))

function showField({ group, field }: Place, onShow: (groupId: string) => void): void {
  onShow(group.id)
  // The fields of the group exist by the next frame.
  requestAnimationFrame(() => {
    const row = document.querySelector(`[id="setting-${field.path}"]`)
    const input =
      row?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      row?.querySelector<HTMLElement>('input, textarea, select')
    input?.focus()
  })
}

/** The server's sentence without the path at its beginning, and with local times. */
export function sentenceOf(path: string, text: string): string {
  return withLocalTimes(toSentence(text.startsWith(`${path} `) ? text.slice(path.length + 1) : text))
}

/** Makes a sentence of a fault's words, which otherwise follow the name of the setting. */
export const toSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
