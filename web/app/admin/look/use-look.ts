import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { COLOR_NAMES, type Look, THEMES } from '#contract/look.ts'
import { PICTURE_PARTS } from '#contract/dashboard/pictures.ts'
import { type Change, changeSettings, type Settings, settings } from '#contract/dashboard/settings.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { fieldsOf, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'

/** A value of the look by its path, as `look.colors.accent.light`; null for the product's own. */
export type LookValues = Readonly<Record<string, string | null>>

export const colorPath = (name: string, theme: string) => `look.colors.${name}.${theme}`
export const picturePath = (part: string) => `look.${part}`

const PATHS = [
  ...COLOR_NAMES.flatMap((name) => THEMES.map((theme) => colorPath(name, theme))),
  ...PICTURE_PARTS.map(picturePath),
]

/** The look as it is stored, with the changes of this form over it. */
export function useLook(enabled: boolean) {
  const queries = useQueryClient()
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: async () => (await call(settings, {})).data,
    enabled,
  })
  const [draft, setDraft] = useState<LookValues>({})
  const stored = data && valuesOf(data)
  const save = useMutation({
    mutationFn: async ({ revision, changes }: { revision: number; changes: Change[]; sent: LookValues }) =>
      (await call(changeSettings, { body: { revision, changes } })).data,
    onSuccess: async (saved, { sent }) => {
      // An answer from before the change, still under way, must not replace it.
      await queries.cancelQueries({ queryKey: ['settings'] })
      queries.setQueryData(['settings'], saved)
      // What was changed while it was being saved stays.
      setDraft((now) =>
        Object.fromEntries(Object.entries(now).filter(([path, value]) => value !== sent[path])),
      )
      toast.success(LOOK.saved)
    },
    onError: (refused) => {
      toast.error(messageOf(refused, LOOK.saveFailed))
      // Someone else has changed a setting: the changes of this form stay, over the new values.
      void queries.invalidateQueries({ queryKey: ['settings'] })
    },
  })
  return {
    values: stored && { ...stored, ...draft },
    error,
    problem: isError ? messageOf(error, LOOK.failed) : undefined,
    readAgain: () => void refetch(),
    set: (path: string, value: string | null) => setDraft({ ...draft, [path]: value }),
    isChanged: stored !== undefined && PATHS.some((path) => path in draft && draft[path] !== stored[path]),
    discard: () => setDraft({}),
    isSaving: save.isPending,
    refusals: fieldsOf(save.error),
    save: () =>
      data &&
      stored &&
      save.mutate({ revision: data.revision, changes: changesOf(draft, data), sent: draft }),
  }
}

function valuesOf({ settings: all }: Settings): LookValues {
  const values = new Map(all.map(({ path, value }) => [path, value]))
  return Object.fromEntries(
    PATHS.map((path) => {
      const value = values.get(path)
      return [path, typeof value === 'string' ? value : null]
    }),
  )
}

/** An emptied field is an override (null) only if the campaign file has a value for it. */
function changesOf(draft: LookValues, { settings: all }: Settings): Change[] {
  const inFile = new Map(all.map(({ path, fileValue }) => [path, fileValue]))
  return Object.entries(draft).map(([path, value]) =>
    value === null && (inFile.get(path) ?? null) === null ? { path, unset: true } : { path, value },
  )
}

/** The values as a look, without those that are not colors (yet). */
export function lookOf(values: LookValues): Look {
  const named = (name: string) =>
    Object.fromEntries(
      THEMES.map((theme) => {
        const value = values[colorPath(name, theme)] ?? null
        return [theme, value !== null && isColor(value) ? value : null]
      }),
    )
  return { colors: { accent: named('accent'), paper: named('paper'), ink: named('ink') } }
}

export const isColor = (value: string) => /^#[0-9a-fA-F]{6}$/.test(value)
