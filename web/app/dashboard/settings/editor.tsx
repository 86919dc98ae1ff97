import { useEffect, useState } from 'react'
import type { Settings } from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { groupsOf, type SettingGroup } from '#web/content/dashboard/settings.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { type Drafts, keepDrafts, readDrafts, useDrafts, withoutSaved } from './drafts.ts'
import { Preview } from './preview.tsx'
import { Problems } from './problems.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSaveSettings } from './use-settings.ts'
import { CompactButton } from '../ui/compact-button.tsx'

export function Editor({ settings }: { settings: Settings }) {
  const drafts = useDrafts()
  useQuestionBeforeClosing(Object.keys(drafts).length > 0)
  const groups = groupsOf(settings.settings)
  const [groupId, setGroupId] = useState(groups[0]?.id)
  const [isPreviewing, setPreviewing] = useState(false)
  const saving = useSaveSettings({
    onDone: (_reply, { changes: saved }) => keepDrafts(withoutSaved(readDrafts(), saved)),
  })
  const group = groups.find(({ id }) => id === groupId) ?? groups[0]
  if (!group) return null
  const changes = Object.values(drafts)
  const discard = () => {
    keepDrafts({})
    saving.reset() // clears the errors
  }
  return (
    <form
      noValidate
      className="mt-6 grid grid-cols-1 gap-6 pb-24"
      onSubmit={(event) => {
        event.preventDefault()
        if (changes.length > 0) saving.mutate({ revision: settings.revision, changes })
      }}
    >
      <Problems
        groups={groups}
        errors={saving.errors}
        onShow={(id) => {
          setPreviewing(false)
          setGroupId(id)
        }}
      />
      <Groups groups={groups} current={group.id} drafts={drafts} onChoose={setGroupId} />
      <div className="lg:hidden">
        <Select
          label={SETTINGS.group}
          value={group.id}
          choices={Object.fromEntries(groups.map(({ id, title }) => [id, title]))}
          onChoice={setGroupId}
        />
      </div>
      <div className="flex flex-wrap gap-3 lg:hidden">
        {(['edit', 'preview'] as const).map((mode) => (
          <Button
            key={mode}
            variant="secondary"
            aria-pressed={isPreviewing === (mode === 'preview')}
            className="aria-pressed:border-ink aria-pressed:bg-ink/5"
            onClick={() => setPreviewing(mode === 'preview')}
          >
            {SETTINGS[mode]}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <Fields
          key={group.id}
          group={group}
          settings={settings}
          drafts={drafts}
          errors={saving.errors}
          className={isPreviewing ? 'max-lg:hidden' : ''}
        />
        <div
          className={classes(
            'h-[80vh] lg:sticky lg:top-[calc(var(--header-height)+1rem)]',
            !isPreviewing && 'max-lg:hidden',
          )}
        >
          <Preview page={group.page} changes={changes} />
        </div>
      </div>
      {changes.length > 0 && (
        <SaveBar count={changes.length} isPending={saving.isPending} onDiscard={discard} />
      )}
    </form>
  )
}

/** Drafts survive visits to other screens, but not the closing of the tab, before which the browser asks. */
function useQuestionBeforeClosing(hasDrafts: boolean) {
  useEffect(() => {
    if (!hasDrafts) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasDrafts])
}

type GroupsProps = {
  groups: readonly SettingGroup[]
  current: string
  drafts: Drafts
  onChoose: (id: string) => void
}

function Groups({ groups, current, drafts, onChoose }: GroupsProps) {
  return (
    <div role="group" aria-label={SETTINGS.groups} className="flex flex-wrap gap-2 max-lg:hidden">
      {groups.map(({ id, title, fields }) => (
        <CompactButton
          key={id}
          aria-pressed={id === current}
          className="aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-paper"
          onClick={() => onChoose(id)}
        >
          {title}
          {fields.some(({ path }) => drafts[path]) && (
            <span aria-label={SETTINGS.unsaved} role="img" className="size-2 rounded-full bg-accent" />
          )}
        </CompactButton>
      ))}
    </div>
  )
}

type FieldsProps = {
  group: SettingGroup
  settings: Settings
  drafts: Drafts
  errors: Readonly<Record<string, string>>
  className: string
}

function Fields({ group, settings, drafts, errors, className }: FieldsProps) {
  return (
    <section aria-label={group.title} className={classes('grid grid-cols-1 gap-5', className)}>
      <h2 className="text-xl">{group.title}</h2>
      <p className="text-ink-soft">{group.lead}</p>
      {group.fields.map((field) => {
        const setting = settings.settings.find(({ path }) => path === field.path)
        if (!setting) return null
        return <SettingRow key={field.path} field={field} setting={setting} drafts={drafts} errors={errors} />
      })}
    </section>
  )
}

type SaveBarProps = { count: number; isPending: boolean; onDiscard: () => void }

function SaveBar({ count, isPending, onDiscard }: SaveBarProps) {
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 border-t border-ink bg-paper py-3">
      <div className="page flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-semibold">
          {SETTINGS.changes({ count })}
        </p>
        <div className="flex gap-3">
          <Button variant="secondary" onClick={onDiscard}>
            {SETTINGS.discard}
          </Button>
          <Button type="submit" isPending={isPending}>
            {SETTINGS.save}
          </Button>
        </div>
      </div>
    </div>
  )
}
