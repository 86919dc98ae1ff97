import type { CampaignFile } from '#contract/campaign-file.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { classes } from '#web/ui/classes.ts'
import { VerifiedStamp } from '../proofs/verified-stamp.tsx'
import { FeatureDrawing, NumberDrawing } from './feature-drawing.tsx'

type Features = CampaignFile['texts']['features']

type FeatureCardsProps = {
  features: Features
  proofs: readonly TokenProof[]
  /** The address of the proof panel; by default, on this page. */
  panelUrl?: string
  heading: 'h2' | 'h3'
}

/** A feature without a drawing shows its number. A single feature has no number and takes the whole width. */
export function FeatureCards({ features, proofs, panelUrl, heading: Heading }: FeatureCardsProps) {
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-6 lg:gap-y-14">
      {features.map((feature, index) => (
        <li
          key={feature.title}
          className={classes(
            'border-t-2 border-ink pt-4 sm:max-lg:last:odd:col-span-2',
            widthOf(index, features.length),
          )}
        >
          <div>
            <Picture feature={feature} number={features.length > 1 ? index + 1 : undefined} />
            <Heading className="text-xl wrap-anywhere">{feature.title}</Heading>
          </div>
          <div>
            <p className="mt-2 max-w-[42ch] text-ink-soft wrap-anywhere">{feature.text}</p>
            <VerifiedStamp claim={feature.claim} proofs={proofs} panelUrl={panelUrl} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Rows of three. If the last row had two cards, they share it; if one, the last four share two rows. */
function widthOf(index: number, count: number): string {
  if (count === 1) return 'lg:col-span-6 lg:grid lg:grid-cols-2 lg:gap-x-8'
  const countInPairs = [0, 4, 2][count % 3] ?? 0
  return index < count - countInPairs ? 'lg:col-span-2' : 'lg:col-span-3'
}

type PictureProps = { feature: Features[number]; number: number | undefined }

function Picture({ feature: { drawing }, number }: PictureProps) {
  if (!drawing && !number) return null
  return (
    <div className="mb-4 flex min-h-18 items-start justify-between gap-4">
      {drawing && number && <p className="figures text-xs text-ink-soft">{number}</p>}
      {drawing && <FeatureDrawing name={drawing} />}
      {!drawing && number && <NumberDrawing number={number} />}
    </div>
  )
}
