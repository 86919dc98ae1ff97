import { useState } from 'react'
import { WEBHOOK_EVENTS } from '#contract/dashboard/webhooks.ts'
import { WEBHOOKS } from '#messages/dashboard-webhooks.js'
import { fieldsOf } from '#web/features/api/api-error.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { CancelableForm } from '../form-dialog.tsx'
import { useAdd } from './use-webhooks.ts'
import { Copy } from '../copy.tsx'

/** A button with its dialog: the form for a new webhook, then the webhook's secret, which is shown once. */
export function AddWebhook() {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const close = () => {
    setOpen(false)
    setSecret(undefined)
  }
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        {WEBHOOKS.add}
      </Button>
      {/* Opens again for a secret that arrives after it was closed: it cannot be shown a second time. */}
      <Dialog
        open={isOpen || secret !== undefined}
        title={secret ? WEBHOOKS.secretTitle : WEBHOOKS.add}
        onClose={close}
      >
        {secret ? (
          <Secret secret={secret} onClose={close} />
        ) : (
          <AddForm onAdded={(added) => setSecret(added.secret)} onClose={close} />
        )}
      </Dialog>
    </>
  )
}

type AddFormProps = { onAdded: (added: { secret: string }) => void; onClose: () => void }

function AddForm({ onAdded, onClose }: AddFormProps) {
  const adding = useAdd(onAdded)
  const errors = fieldsOf(adding.error)
  const submit = ({ url = '', ...chosen }: FormValues) =>
    adding.mutate({ url, events: WEBHOOK_EVENTS.filter((event) => chosen[event] !== undefined) })
  return (
    <CancelableForm yes={WEBHOOKS.addNow} isPending={adding.isPending} onValues={submit} onClose={onClose}>
      <Field
        label={WEBHOOKS.url}
        hint={WEBHOOKS.urlHint}
        error={errors['url']}
        name="url"
        type="url"
        inputMode="url"
        placeholder="https://bot.example.org/campaign"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <fieldset>
        <legend className="font-semibold">{WEBHOOKS.chooseEvents}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox key={event} name={event} defaultChecked>
            {WEBHOOKS.events[event]} <code className="figures text-ink-soft">{event}</code>
          </Checkbox>
        ))}
        {errors['events'] && <p className="text-sm font-semibold text-accent-text">{errors['events']}</p>}
      </fieldset>
    </CancelableForm>
  )
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <div className="grid gap-5">
      <p>{WEBHOOKS.secretLead}</p>
      <code className="figures rounded-sm border border-outline p-3 text-sm break-all">{secret}</code>
      <div className="flex flex-wrap gap-3">
        <Copy size="normal" variant="primary" text={secret} />
        <Button variant="secondary" onClick={onClose}>
          {WEBHOOKS.done}
        </Button>
      </div>
    </div>
  )
}
