import type { CampaignFile } from '#contract/campaign-file.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { VerifiedStamp } from '../proofs/verified-stamp.tsx'
import { FeatureDrawing } from './feature-drawing.tsx'

/** The token's features in columns. `heading` sets the heading level. */
export function FeatureCards({
  features,
  proofs,
  panel,
  heading: Heading,
}: {
  features: CampaignFile['texts']['features']
  proofs: readonly TokenProof[]
  /** Where the proof panel is, if not on this page. */
  panel?: string
  heading: 'h2' | 'h3'
}) {
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 lg:gap-y-14">
      {features.map((feature, index) => (
        <li key={feature.title} className="border-t-2 border-ink pt-4">
          <div className="flex min-h-18 items-start justify-between gap-4">
            <p className="figures text-xs text-ink-soft">{index + 1}</p>
            {feature.drawing && <FeatureDrawing name={feature.drawing} className="w-24" />}
          </div>
          <Heading className="mt-4 text-xl">{feature.title}</Heading>
          <p className="mt-2 max-w-[42ch] text-ink-soft">{feature.text}</p>
          <VerifiedStamp statement={feature} proofs={proofs} panel={panel} className="mt-3" />
        </li>
      ))}
    </ul>
  )
}
