import { SETUP_CAMPAIGN } from '#messages/dashboard-setup.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { LookForm } from '../admin/look/look-form.tsx'
import type { useLook } from '../admin/look/use-look.ts'
import { ScreenLink } from '../screen-link.tsx'

/** The campaign's look, with a link to its other settings. */
export function MakeItYours({ look }: { look: ReturnType<typeof useLook> }) {
  return (
    <div className="grid gap-12">
      <LookForm look={look} />
      <section aria-labelledby="settings" className="grid justify-items-start gap-3">
        <h2 id="settings" className="text-xl">
          {SETUP_CAMPAIGN.settingsTitle}
        </h2>
        <p className="max-w-[60ch] text-ink-soft">{SETUP_CAMPAIGN.settingsText}</p>
        <ScreenLink
          href={DASHBOARD_ROUTES.settings.path}
          className="text-link inline-flex min-h-11 items-center"
        >
          {SETUP_CAMPAIGN.settingsLink}
        </ScreenLink>
      </section>
    </div>
  )
}
