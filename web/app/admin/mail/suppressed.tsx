import type { SuppressedAddress } from '#contract/dashboard/mail.ts'
import { SUPPRESSED } from '#messages/dashboard-mail.js'
import { ApiError } from '#web/features/api/api-error.ts'
import { Form } from '#web/features/forms/form.tsx'
import { Ago, formatDateTime } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger } from '#web/ui/format.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { useState } from 'react'
import { STACKED_CELL, STACKED_ROW } from '../payout/amounts.tsx'
import { Loaded } from '../loaded.tsx'
import { useSuppress, useSuppressions, useUnsuppress } from './use-mail.ts'

/** Addresses that refuse emails. */
export function Suppressed() {
  const list = useSuppressions()
  return (
    <>
      <p className="mt-4 max-w-prose text-ink-soft">{SUPPRESSED.lead}</p>
      <AddForm />
      <Loaded query={list}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p className="mt-8 font-semibold">{SUPPRESSED.none}</p>
          ) : (
            <div className="mt-6 grid gap-3">
              <AddressTable addresses={data} />
              {total > data.length && (
                <p className="text-sm text-ink-soft">{SUPPRESSED.total({ shown: data.length, total })}</p>
              )}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function AddForm() {
  // A new key empties the field.
  const [count, setCount] = useState(0)
  const adding = useSuppress(() => setCount(count + 1))
  const error = adding.error instanceof ApiError ? adding.error.fields['email'] : undefined
  return (
    <Form
      key={count}
      onValues={({ email = '' }) => adding.mutate(email)}
      className="mt-6 grid max-w-xl items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <Field
        label={SUPPRESSED.add}
        hint={SUPPRESSED.addHint}
        error={error}
        name="email"
        type="email"
        required
        autoComplete="off"
      />
      <Button type="submit" variant="secondary" pending={adding.isPending} className="sm:mt-8">
        {SUPPRESSED.addNow}
      </Button>
    </Form>
  )
}

function AddressTable({ addresses }: { addresses: readonly SuppressedAddress[] }) {
  const removing = useUnsuppress()
  return (
    <Table caption={SUPPRESSED.caption}>
      <TableHead className="max-md:sr-only">
        <ColumnHead>{SUPPRESSED.address}</ColumnHead>
        <ColumnHead>{SUPPRESSED.answer}</ColumnHead>
        <ColumnHead figures>{SUPPRESSED.refusals}</ColumnHead>
        <ColumnHead>{SUPPRESSED.refused}</ColumnHead>
        <ColumnHead>{SUPPRESSED.until}</ColumnHead>
        <ColumnHead>
          <span className="sr-only">{SUPPRESSED.remove}</span>
        </ColumnHead>
      </TableHead>
      <TableBody>
        {addresses.map((address) => (
          <AddressRow
            key={address.id}
            address={address}
            isPending={removing.isPending && removing.variables === address.id}
            onRemove={() => removing.mutate(address.id)}
          />
        ))}
      </TableBody>
    </Table>
  )
}

type AddressRowProps = { address: SuppressedAddress; isPending: boolean; onRemove: () => void }

function AddressRow({ address, isPending, onRemove }: AddressRowProps) {
  const { email, answer, refusals, refusedAt, until } = address
  return (
    <Row className={STACKED_ROW}>
      <Cell label={SUPPRESSED.address} className={classes(STACKED_CELL, 'font-semibold wrap-anywhere')}>
        {email}
      </Cell>
      <Cell label={SUPPRESSED.answer} className={classes(STACKED_CELL, 'md:max-w-96')}>
        {answer === null ? (
          SUPPRESSED.byHand
        ) : (
          <span className="font-mono text-sm wrap-anywhere">{answer}</span>
        )}
      </Cell>
      <Cell label={SUPPRESSED.refusals} className={classes(STACKED_CELL, 'figures md:text-end')}>
        {answer === null ? '–' : formatInteger(refusals)}
      </Cell>
      <Cell label={SUPPRESSED.refused} className={classes(STACKED_CELL, 'text-sm md:whitespace-nowrap')}>
        <Ago at={refusedAt} />
      </Cell>
      <Cell label={SUPPRESSED.until} className={classes(STACKED_CELL, 'text-sm md:whitespace-nowrap')}>
        {until === null ? SUPPRESSED.never : formatDateTime(until)}
      </Cell>
      <Cell className="max-md:px-0 max-md:pt-1.5 md:text-end">
        <Button
          variant="secondary"
          size="compact"
          pending={isPending}
          aria-label={SUPPRESSED.removeOf({ email })}
          onClick={onRemove}
        >
          {SUPPRESSED.remove}
        </Button>
      </Cell>
    </Row>
  )
}
