import { WEBHOOK_EVENTS } from '#contract/dashboard/webhooks.ts'
import { WEBHOOKS } from '#messages/dashboard-webhooks.js'
import { fieldsOf } from '#web/features/api/api-error.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { Copy } from '../copy.tsx'
import { CancelableForm } from '../form-dialog.tsx'
import { SecretButton, type SecretProps } from '../secret-button.tsx'
import { useAdd } from './use-webhooks.ts'

/** A button with its dialog: the form for a new webhook, then the webhook's secret, which is shown once. */
export function AddWebhook() {
  return (
    <SecretButton
      className="justify-self-start"
      label={WEBHOOKS.add}
      title={WEBHOOKS.add}
      secretTitle={WEBHOOKS.secretTitle}
      SecretView={Secret}
    >
      {(showSecret, close) => <AddForm onAdded={({ secret }) => showSecret(secret)} onClose={close} />}
    </SecretButton>
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

function Secret({ secret, onClose }: SecretProps<string>) {
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
