import { useQuery } from '@tanstack/react-query'
import { COLOR_NAMES, isColor, type Look, THEMES } from '#contract/look.ts'
import { PICTURE_PARTS } from '#contract/dashboard/pictures.ts'
import type { Change, Settings } from '#contract/dashboard/settings.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { createUnsavedInput, useUnsavedInput } from '../ui/unsaved-input.ts'
import { SETTINGS_QUERY, useSaveSettings } from '../settings/use-settings.ts'

/** The look's values by path, such as `look.colors.accent.light`. Null: the product's own is used. */
export type LookValues = Readonly<Record<string, string | null>>

export const colorPath = (name: string, theme: string) => `look.colors.${name}.${theme}`
export const picturePath = (part: string) => `look.${part}`

const PATHS = [
  ...COLOR_NAMES.flatMap((name) => THEMES.map((theme) => colorPath(name, theme))),
  ...PICTURE_PARTS.map(picturePath),
]

const unsavedLook = createUnsavedInput<LookValues>({})

/** The stored look with the form's unsaved changes, which stay if saving them is refused. */
export function useLook(enabled = true) {
  const { data, error, isError, refetch } = useQuery({ ...SETTINGS_QUERY, enabled })
  const draft = useUnsavedInput(unsavedLook)
  const stored = data && valuesOf(data)
  const saving = useSaveSettings({ reportOf: () => LOOK.saved, fallback: LOOK.saveFailed })
  function save() {
    if (!data) return
    // Keeps changes that were made while saving.
    const dropSaved = (current: LookValues) =>
      Object.fromEntries(Object.entries(current).filter(([path, value]) => value !== draft[path]))
    saving.mutate(
      { revision: data.revision, changes: changesOf(draft, data) },
      { onSuccess: () => unsavedLook.keep(dropSaved(unsavedLook.read())) },
    )
  }
  const discard = () => {
    unsavedLook.keep({})
    saving.reset()
  }
  return {
    query: { data: stored && { ...stored, ...draft }, error, isError, refetch },
    set: (path: string, value: string | null) => unsavedLook.keep({ ...unsavedLook.read(), [path]: value }),
    isChanged: stored !== undefined && PATHS.some((path) => path in draft && draft[path] !== stored[path]),
    discard,
    isSaving: saving.isPending,
    refusals: saving.errors,
    save,
  }
}

function valuesOf({ settings }: Settings): LookValues {
  const values = new Map(settings.map(({ path, value }) => [path, value]))
  return Object.fromEntries(
    PATHS.map((path) => {
      const value = values.get(path)
      return [path, typeof value === 'string' ? value : null]
    }),
  )
}

/** An emptied field overrides the campaign file with null, unless the file has no value for it. */
function changesOf(draft: LookValues, { settings }: Settings): Change[] {
  const fileValues = new Map(settings.map(({ path, fileValue }) => [path, fileValue]))
  return Object.entries(draft).map(([path, value]) =>
    value === null && (fileValues.get(path) ?? null) === null ? { path, unset: true } : { path, value },
  )
}

/** The values as a look, without those that are not valid colors. */
export function lookOf(values: LookValues): Look {
  const colorsOf = (name: string) =>
    Object.fromEntries(
      THEMES.map((theme) => {
        const value = values[colorPath(name, theme)] ?? null
        return [theme, value !== null && isColor(value) ? value : null]
      }),
    )
  return { colors: { accent: colorsOf('accent'), paper: colorsOf('paper'), ink: colorsOf('ink') } }
}
