import { useState, type ReactNode } from 'react'
import {
  MAX_BAN_REASON_LENGTH,
  banPerson,
  changeRole,
  deletePerson,
  exportPerson,
  type Person,
  unbanPerson,
} from '#contract/dashboard/person.ts'
import { PERSON_ACTIONS } from '#messages/dashboard-people.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { saveAsJson } from '#web/ui/save-file.ts'
import { CancelableForm } from '../ui/dialogs.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { useChange } from '../api/use-change.ts'
import { dropText, keptText } from '../ui/kept-text.ts'

/** The first part of the keys of all queries about people. */
export const PEOPLE_QUERY = ['people']

/** What can be done to a person: a button, the question that it asks, and the call. */
type Action = {
  button: string
  title: (values: { name: string }) => string
  lead: string
  /** The text of the dialog's button; by default `button`. */
  submitLabel?: string
  send: (person: Person, values: FormValues) => Promise<{ message: string }>
  Fields?: (props: { person: Person; errors: Readonly<Record<string, string>> }) => ReactNode
}

const paramsOf = ({ _id: userId }: Person) => ({ params: { userId } })

const BAN: Action = {
  button: PERSON_ACTIONS.ban,
  title: PERSON_ACTIONS.banTitle,
  lead: PERSON_ACTIONS.banLead,
  send: (person, { reason = '', revokesApproval }) =>
    call(banPerson, { ...paramsOf(person), body: { reason, revokesApproval: revokesApproval === 'on' } }),
  Fields: BanFields,
}

const UNBAN: Action = {
  button: PERSON_ACTIONS.unban,
  title: PERSON_ACTIONS.unbanTitle,
  lead: PERSON_ACTIONS.unbanLead,
  send: (person) => call(unbanPerson, paramsOf(person)),
}

const OFFER: Action = {
  button: PERSON_ACTIONS.offerRole,
  title: PERSON_ACTIONS.offerTitle,
  lead: PERSON_ACTIONS.offerLead,
  send: (person) => call(changeRole, { ...paramsOf(person), body: { role: 'admin' } }),
}

const withdraw = (person: Person) => call(changeRole, { ...paramsOf(person), body: { role: 'user' } })

const WITHDRAW_OFFER: Action = {
  button: PERSON_ACTIONS.withdrawOffer,
  title: PERSON_ACTIONS.withdrawOfferTitle,
  lead: PERSON_ACTIONS.withdrawOfferLead,
  send: withdraw,
}

const WITHDRAW_ROLE: Action = {
  button: PERSON_ACTIONS.withdrawRole,
  title: PERSON_ACTIONS.withdrawTitle,
  lead: PERSON_ACTIONS.withdrawLead,
  send: withdraw,
}

const EXPORT: Action = {
  button: PERSON_ACTIONS.copyData,
  title: PERSON_ACTIONS.copyTitle,
  lead: PERSON_ACTIONS.copyLead,
  submitLabel: PERSON_ACTIONS.copyNow,
  send: async (person) => {
    const { data } = await call(exportPerson, paramsOf(person))
    saveAsJson(data, person.username)
    return { message: PERSON_ACTIONS.copyDone }
  },
}

const REMOVE: Action = {
  button: PERSON_ACTIONS.remove,
  title: PERSON_ACTIONS.removeTitle,
  lead: PERSON_ACTIONS.removeLead,
  send: (person, { confirmation = '' }) =>
    call(deletePerson, { ...paramsOf(person), body: { confirmation } }),
  Fields: ({ person, errors }) => (
    <Field
      label={PERSON_ACTIONS.removeConfirm({ name: person.username })}
      name="confirmation"
      error={errors['confirmation']}
      autoComplete="off"
      spellCheck={false}
      required
    />
  ),
}

/** The key of the unsaved reason for a ban. */
const banKey = ({ _id }: Person) => `ban ${_id}`

function BanFields({ person, errors }: { person: Person; errors: Readonly<Record<string, string>> }) {
  return (
    <>
      <TextArea
        label={PERSON_ACTIONS.banReason}
        hint={PERSON_ACTIONS.banReasonHint}
        error={errors['reason']}
        name="reason"
        rows={3}
        required
        maxLength={MAX_BAN_REASON_LENGTH}
        onPaste={pastePlain}
        {...keptText(banKey(person))}
      />
      {person.claims.some(({ status }) => status === 'approved') && (
        <Checkbox name="revokesApproval">{PERSON_ACTIONS.revoke}</Checkbox>
      )}
      {person.frozenWallet && <p className="font-semibold">{PERSON_ACTIONS.frozen}</p>}
    </>
  )
}

function actionsFor({ state, role, roleOffer }: Person): Action[] {
  if (state === 'banned') return [UNBAN, EXPORT, ...(role === 'user' ? [REMOVE] : [])]
  if (role === 'admin') return [WITHDRAW_ROLE, BAN, EXPORT]
  return [BAN, roleOffer ? WITHDRAW_OFFER : OFFER, EXPORT, REMOVE]
}

export function PersonActions({ person }: { person: Person }) {
  // A new object for each opening of the dialog tells the openings apart.
  const [asked, setAsked] = useState<{ action: Action } | null>(null)
  function close() {
    setAsked(null)
    dropText(banKey(person))
  }
  const actions = actionsFor(person)
  // Another administrator may have done it meanwhile.
  const isPossible = asked !== null && actions.includes(asked.action)
  return (
    <div role="group" aria-label={PERSON_ACTIONS.title} className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <CompactButton key={action.button} onClick={() => setAsked({ action })}>
          {action.button}
        </CompactButton>
      ))}
      <Dialog
        open={isPossible}
        title={asked?.action.title({ name: person.username }) ?? ''}
        onClose={close}
        className="wrap-anywhere"
      >
        {asked && (
          <Question
            action={asked.action}
            person={person}
            // By the time of the reply, the dialog may have been closed and opened again.
            onDone={() => setAsked((current) => (current === asked ? null : current))}
            onClose={close}
          />
        )}
      </Dialog>
    </div>
  )
}

type QuestionProps = { action: Action; person: Person; onDone: () => void; onClose: () => void }

function Question({ action, person, onDone, onClose }: QuestionProps) {
  const { button, lead, submitLabel = button, Fields } = action
  const change = useChange(PEOPLE_QUERY, (values: FormValues) => action.send(person, values), { onDone })
  return (
    <CancelableForm
      submitLabel={submitLabel}
      isPending={change.isPending}
      onValues={change.mutate}
      onClose={onClose}
      className="grid grid-cols-1 gap-5"
    >
      <p>{lead}</p>
      {Fields && <Fields person={person} errors={change.errors} />}
    </CancelableForm>
  )
}
