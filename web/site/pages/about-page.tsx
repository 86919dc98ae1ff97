import type { CampaignFile } from '#contract/campaign-file.ts'
import { LAYOUT } from '#messages/layout.js'
import { ABOUT } from '#messages/pages.js'
import { ROUTES } from '#web/routes.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Pulse } from '#web/ui/pulse.tsx'
import { PROOF_PANEL_ID } from '../proofs/verified-stamp.tsx'
import { FeatureCards } from '../sections/feature-cards.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import { Mission } from '../sections/mission.tsx'
import type { PageProps } from '../site-context.ts'

export function AboutPage({ campaign, proofs }: Pick<PageProps, 'campaign' | 'proofs'>) {
  const { token, texts } = campaign
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.about.path} title={ABOUT.title({ token: token.name })}>
        <p>{texts.about}</p>
      </PageHeader>
      {texts.features.length > 0 && (
        <div className="page pt-14 lg:pt-20">
          <FeatureCards
            features={texts.features}
            proofs={proofs}
            panelUrl={`${ROUTES.home.path}#${PROOF_PANEL_ID}`}
            heading="h2"
          />
        </div>
      )}
      <Pulse beatAt="middle" className="mt-20 lg:mt-28" />
      <section className="page pt-14 lg:pt-20">
        <Mission texts={texts} />
      </section>
      <section aria-labelledby="social-title" className="page pt-20 lg:pt-28">
        <div className="grid grid-cols-1 gap-x-8 gap-y-4 border-t-2 border-ink pt-5 lg:grid-cols-12">
          <h2 id="social-title" className="text-xl lg:col-span-5">
            {ABOUT.social}
          </h2>
          <SocialLinks socials={token.socials} />
        </div>
      </section>
    </>
  )
}

function SocialLinks({ socials }: { socials: CampaignFile['token']['socials'] }) {
  const links = [
    { name: LAYOUT.twitter, href: socials.twitter },
    { name: LAYOUT.telegram, href: socials.telegram },
    { name: LAYOUT.website, href: socials.website },
  ]
  return (
    <ul className="lg:col-span-7">
      {links.map(({ name, href }) => (
        <li key={name} className="border-b border-hairline first:border-t lg:first:border-t-0">
          <ExternalLink href={href} className="social-link">
            <span>{name}</span>
            <span dir="ltr" className="figures ms-auto text-sm wrap-anywhere text-ink-soft">
              {withoutScheme(href)}
            </span>
          </ExternalLink>
        </li>
      ))}
    </ul>
  )
}

const withoutScheme = (url: string) => url.replace(/^https:\/\//, '').replace(/\/$/, '')
