import { useQueryClient } from '@tanstack/react-query'
import { twoFactor, type TwoFactor } from '#contract/accounts/two-factor.ts'
import { SECURITY } from '#messages/dashboard-security.js'
import { SESSIONS } from '#messages/own-sessions.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { useData } from '#web/features/api/use-data.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogButton } from '#web/ui/dialog.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { SessionList } from '../../account/own-sessions.tsx'
import { Copy } from '../ui/copy.tsx'
import { DashboardScreen, TitledSection } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { SecretButton, type SecretProps } from '../ui/dialogs.tsx'
import { RenewForm, SetUpForm, TurnOffForm } from './two-factor-forms.tsx'

export default function SecurityScreen() {
  const state = useData(twoFactor, { queryKey: ['two-factor'] })
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.security} error={state.error}>
      <h1 className="mt-6 text-2xl">{SECURITY.title}</h1>
      <p className="mt-2 text-ink-soft">{SECURITY.lead}</p>
      <div className="mt-8 grid grid-cols-1 gap-12">
        <QueryContent query={state} heights={['h-32']} className="">
          {(data) => <TwoFactorSection state={data} />}
        </QueryContent>
        <TitledSection title={SESSIONS.title} className="grid grid-cols-1 gap-4">
          <SessionList />
        </TitledSection>
      </div>
    </DashboardScreen>
  )
}

/** With this many recovery codes or fewer, the screen suggests new ones. */
const FEW_CODES = 3

function TwoFactorSection({ state: { isOn, isRequired, recoveryCodesLeft } }: { state: TwoFactor }) {
  const queries = useQueryClient()
  const mustSetUp = isRequired && !isOn
  const canTurnOff = isOn && !isRequired
  const offTone = mustSetUp ? 'accent' : 'ink'
  return (
    // Takes the focus when the button that was pressed disappears.
    <section aria-labelledby="two-factor" tabIndex={-1} className="grid grid-cols-1 gap-4 outline-none">
      <div className="flex flex-wrap items-center gap-4">
        <h2 id="two-factor" className="text-xl">
          {SECURITY.twoFactor}
        </h2>
        <Stamp tone={isOn ? 'proof' : offTone}>{isOn ? SECURITY.on : SECURITY.off}</Stamp>
      </div>
      <p className="max-w-prose text-ink-soft">{SECURITY.what}</p>
      {mustSetUp && <p className="max-w-prose font-semibold text-accent-text">{SECURITY.required}</p>}
      {isOn && (
        <p className={recoveryCodesLeft <= FEW_CODES ? 'font-semibold text-accent-text' : undefined}>
          {SECURITY.left({ count: recoveryCodesLeft })} {recoveryCodesLeft <= FEW_CODES && SECURITY.fewLeft}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {/* One button for set-up and renewal, so that new codes stay on screen when the state is refetched. */}
        <SecretButton
          variant={isOn ? 'secondary' : 'primary'}
          label={isOn ? SECURITY.renew : SECURITY.setUp}
          title={isOn ? SECURITY.renewTitle : SECURITY.twoFactor}
          secretTitle={SECURITY.codesTitle}
          SecretView={RecoveryCodes}
          onClose={() => void queries.invalidateQueries()}
        >
          {(showCodes, close) => {
            const CodesForm = isOn ? RenewForm : SetUpForm
            return <CodesForm onCodes={showCodes} onClose={close} />
          }}
        </SecretButton>
        {canTurnOff && (
          <DialogButton variant="secondary" label={SECURITY.turnOff} title={SECURITY.turnOffTitle}>
            {(close) => <TurnOffForm onClose={close} />}
          </DialogButton>
        )}
      </div>
    </section>
  )
}

function RecoveryCodes({ secret: codes, onClose }: SecretProps<readonly string[]>) {
  return (
    <div className="grid gap-5">
      <p>{SECURITY.codes}</p>
      <ul className="figures grid grid-cols-2 gap-x-6 gap-y-1 rounded-sm border border-outline p-4">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Copy size="normal" text={codes.join('\n')} label={SECURITY.copy} />
        <Button onClick={onClose}>{SECURITY.done}</Button>
      </div>
    </div>
  )
}
