import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addSuppression,
  listSuppressions,
  removeSuppression,
  type SuppressedAddress,
} from '#contract/dashboard/mail.ts'
import { SUPPRESSED } from '#messages/dashboard-mail.js'
import { call } from '#web/features/api/call.ts'
import { Form } from '#web/features/forms/form.tsx'
import { Ago, formatDateTime } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { type Column, StackedTable } from '../ui/stacked-table.tsx'
import { useChange } from '../api/use-change.ts'
import { MAIL_QUERY } from './use-mail.ts'
import { CompactButton } from '../ui/compact-button.tsx'

export function Suppressed() {
  const list = useQuery({
    queryKey: [...MAIL_QUERY, 'suppressions'],
    queryFn: () => call(listSuppressions, {}),
  })
  return (
    <>
      <p className="mt-4 max-w-prose text-ink-soft">{SUPPRESSED.lead}</p>
      <AddForm />
      <QueryContent query={list}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p className="mt-8 font-semibold">{SUPPRESSED.none}</p>
          ) : (
            <div className="mt-6 grid gap-3">
              <StackedTable
                caption={SUPPRESSED.caption}
                columns={COLUMNS}
                entries={data}
                keyOf={({ id }) => id}
              />
              {total > data.length && (
                <p className="text-sm text-ink-soft">{SUPPRESSED.total({ shown: data.length, total })}</p>
              )}
            </div>
          )
        }
      </QueryContent>
    </>
  )
}

function AddForm() {
  const [formKey, setFormKey] = useState(0) // a new key empties the form
  const adding = useChange(MAIL_QUERY, (email: string) => call(addSuppression, { body: { email } }), {
    onDone: () => setFormKey(formKey + 1),
  })
  return (
    <Form
      key={formKey}
      onValues={({ email = '' }) => adding.mutate(email)}
      className="mt-6 grid max-w-xl items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <Field
        label={SUPPRESSED.add}
        hint={SUPPRESSED.addHint}
        error={adding.errors['email']}
        name="email"
        type="email"
        required
        autoComplete="off"
      />
      <Button type="submit" variant="secondary" isPending={adding.isPending} className="sm:mt-8">
        {SUPPRESSED.addNow}
      </Button>
    </Form>
  )
}

const COLUMNS: readonly Column<SuppressedAddress>[] = [
  { name: SUPPRESSED.address, className: 'font-semibold wrap-anywhere', cell: ({ email }) => email },
  {
    name: SUPPRESSED.answer,
    className: 'md:max-w-96',
    cell: ({ answer }) =>
      answer === null ? SUPPRESSED.byHand : <span className="font-mono text-sm wrap-anywhere">{answer}</span>,
  },
  {
    name: SUPPRESSED.refusals,
    kind: 'figures',
    cell: ({ answer, refusals }) => (answer === null ? '–' : formatInteger(refusals)),
  },
  {
    name: SUPPRESSED.refused,
    className: 'text-sm md:whitespace-nowrap',
    cell: ({ refusedAt }) => <Ago at={refusedAt} />,
  },
  {
    name: SUPPRESSED.until,
    className: 'text-sm md:whitespace-nowrap',
    cell: ({ until }) => (until === null ? SUPPRESSED.never : formatDateTime(until)),
  },
  { name: SUPPRESSED.remove, kind: 'action', cell: (address) => <Remove {...address} /> },
]

function Remove({ id, email }: SuppressedAddress) {
  const { isPending, mutate } = useChange(MAIL_QUERY, () => call(removeSuppression, { params: { id } }))
  return (
    <CompactButton isPending={isPending} aria-label={SUPPRESSED.removeOf({ email })} onClick={() => mutate()}>
      {SUPPRESSED.remove}
    </CompactButton>
  )
}
