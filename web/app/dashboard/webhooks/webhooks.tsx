import { useState } from 'react'
import {
  addWebhook,
  changeWebhook,
  listWebhooks,
  removeWebhook,
  testWebhook,
  type Webhook,
  WEBHOOK_EVENTS,
} from '#contract/dashboard/webhooks.ts'
import { WEBHOOKS } from '#messages/dashboard-webhooks.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogButton } from '#web/ui/dialog.tsx'
import { RichText, TextLink } from '#web/ui/text/rich-text.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { call, type CallArgs } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Copy } from '../ui/copy.tsx'
import { CancelableForm, SecretButton, type SecretProps } from '../ui/dialogs.tsx'
import { useChange } from '../api/use-change.ts'
import { Deliveries, POLL_MS, WEBHOOKS_QUERY } from './deliveries.tsx'
import { Widgets } from './widgets.tsx'

export default function WebhooksScreen() {
  const webhooks = useData(listWebhooks, {
    queryKey: WEBHOOKS_QUERY,
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  })
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.webhooks} error={webhooks.error}>
      <h1 className="mt-6 text-2xl">{WEBHOOKS.title}</h1>
      <p className="mt-2 max-w-prose text-ink-soft">{WEBHOOKS.lead}</p>
      <div className="mt-6 grid grid-cols-1 gap-12">
        <QueryContent query={webhooks} words={WEBHOOKS} heights={['h-32']} className="">
          {(data) => <List webhooks={data} />}
        </QueryContent>
        <Widgets />
      </div>
    </DashboardScreen>
  )
}

function List({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <section aria-label={WEBHOOKS.list} className="grid grid-cols-1 gap-5">
      {webhooks.length === 0 ? (
        <p className="border-y border-hairline py-6 font-semibold">{WEBHOOKS.none}</p>
      ) : (
        <ul className="grid grid-cols-1 border-t border-hairline">
          {webhooks.map((webhook) => (
            <WebhookEntry key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      <AddWebhook />
      <p className="max-w-prose text-sm text-ink-soft">
        <RichText text={WEBHOOKS.guide} tags={{ link: <TextLink href={`${DOCS_PATH}/webhooks`} /> }} />
      </p>
    </section>
  )
}

function WebhookEntry({ webhook }: { webhook: Webhook }) {
  const { id, url, events, isEnabled, disabledBecause, waiting } = webhook
  const [isLogOpen, setLogOpen] = useState(false)
  const switching = useChange(WEBHOOKS_QUERY, () =>
    call(changeWebhook, { params: { id }, body: { isEnabled: !isEnabled } }),
  )
  const testing = useChange(WEBHOOKS_QUERY, () => call(testWebhook, { params: { id } }), {
    onDone: () => setLogOpen(true),
  })
  return (
    <li className="grid grid-cols-1 gap-3 border-b border-hairline py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="figures min-w-0 text-base font-semibold break-all">{url}</h2>
        <Stamp tone={isEnabled ? 'proof' : 'accent'}>
          {isEnabled ? WEBHOOKS.enabled : WEBHOOKS.disabled}
        </Stamp>
      </div>
      <p className="text-sm text-ink-soft">
        {events.map((event) => WEBHOOKS.events[event]).join(' · ')}
        {waiting > 0 && <span className="font-semibold"> · {WEBHOOKS.waiting({ count: waiting })}</span>}
      </p>
      {disabledBecause && <p className="max-w-prose text-accent-text">{WEBHOOKS.because[disabledBecause]}</p>}
      <div className="flex flex-wrap gap-2">
        <CompactButton isPending={testing.isPending} onClick={() => testing.mutate()}>
          {WEBHOOKS.test}
        </CompactButton>
        <CompactButton aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
          {WEBHOOKS.log}
        </CompactButton>
        <CompactButton isPending={switching.isPending} onClick={() => switching.mutate()}>
          {isEnabled ? WEBHOOKS.disable : WEBHOOKS.enable}
        </CompactButton>
        <Remove id={id} />
      </div>
      {isLogOpen && <Deliveries id={id} />}
    </li>
  )
}

function Remove({ id }: { id: string }) {
  const removing = useChange(WEBHOOKS_QUERY, () => call(removeWebhook, { params: { id } }))
  return (
    <DialogButton size="compact" variant="secondary" label={WEBHOOKS.remove} title={WEBHOOKS.removeTitle}>
      {(close) => (
        <CancelableForm
          submitLabel={WEBHOOKS.removeNow}
          isPending={removing.isPending}
          onValues={() => removing.mutate()}
          onClose={close}
        >
          <p>{WEBHOOKS.removeLead}</p>
        </CancelableForm>
      )}
    </DialogButton>
  )
}

function AddWebhook() {
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
  const { mutate, isPending, errors } = useChange(
    WEBHOOKS_QUERY,
    (body: CallArgs<typeof addWebhook>['body']) => call(addWebhook, { body }),
    { onDone: onAdded },
  )
  const submit = ({ url = '', ...chosen }: FormValues) =>
    mutate({ url, events: WEBHOOK_EVENTS.filter((event) => chosen[event] !== undefined) })
  return (
    <CancelableForm submitLabel={WEBHOOKS.addNow} isPending={isPending} onValues={submit} onClose={onClose}>
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
