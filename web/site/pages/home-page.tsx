import { ABOUT } from '#messages/pages.js'
import { Pulse } from '#web/ui/pulse.tsx'
import { ProofPanel } from '../proofs/proof-panel.tsx'
import { AirdropTicket } from '../sections/airdrop-ticket.tsx'
import { FeatureCards } from '../sections/feature-cards.tsx'
import { Hero } from '../sections/hero.tsx'
import { Mission } from '../sections/mission.tsx'
import type { PageProps } from '../site-context.ts'

export function HomePage({ campaign, life, proofs }: Pick<PageProps, 'campaign' | 'life' | 'proofs'>) {
  const { token, texts } = campaign
  return (
    <>
      <Hero campaign={campaign} />
      <section id="about" aria-labelledby="about-title" className="page pt-24 lg:pt-36">
        <div className="grid gap-x-8 gap-y-5 lg:grid-cols-12">
          <h2 id="about-title" className="text-3xl lg:col-span-6">
            {ABOUT.title({ token: token.name })}
          </h2>
          <p className="text-lg lg:col-span-6 lg:self-end">{texts.about}</p>
        </div>
        {texts.features.length > 0 && (
          <div className="mt-14 lg:mt-20">
            <FeatureCards features={texts.features} proofs={proofs} heading="h3" />
          </div>
        )}
      </section>
      <div className="pt-20 lg:pt-28">
        <ProofPanel campaign={campaign} proofs={proofs} />
      </div>
      <Pulse beatAt="middle" className="mt-20 lg:mt-28" />
      <section className="page pt-14 lg:pt-20">
        <Mission texts={texts} />
      </section>
      <div className="page pt-20 lg:pt-28">
        <AirdropTicket campaign={campaign} life={life} />
      </div>
    </>
  )
}
