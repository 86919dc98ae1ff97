import { INTL_TAG } from '#messages/locale.js'
import { RichText } from '#web/ui/rich-text.tsx'
import { contrastOf, type Palette, SHAPE_CONTRAST, TEXT_CONTRAST, type Theme } from '#contract/look.ts'
import { LOOK } from '#messages/dashboard-look.js'

const { sample, contrasts } = LOOK

const ONE_DIGIT = new Intl.NumberFormat(INTL_TAG, { minimumFractionDigits: 1 })
/** Rounded down: a contrast that is shown as enough is enough. */
const formatContrast = (contrast: number) => ONE_DIGIT.format(Math.floor(contrast * 10) / 10)

/** A heading, a text, a link and a button in the colors of a theme, with the contrasts that they have. */
export function Sample({ theme, palette }: { theme: Theme; palette: Palette }) {
  const { paper, ink, accent, onAccent, accentText } = palette
  const measured = [
    [contrasts.ink, contrastOf(ink, paper), TEXT_CONTRAST],
    [contrasts.accentText, contrastOf(accentText, paper), TEXT_CONTRAST],
    [contrasts.onAccent, contrastOf(onAccent, accent), TEXT_CONTRAST],
    [contrasts.accent, contrastOf(accent, paper), SHAPE_CONTRAST],
  ] as const
  return (
    <figure aria-label={sample.labels[theme]} className="grid gap-3">
      <div
        className="grid justify-items-start gap-3 rounded-md border border-hairline p-5"
        style={{ backgroundColor: paper, color: ink }}
      >
        <p className="font-display text-xl font-extrabold">{sample.heading}</p>
        <p>
          <RichText
            text={sample.text}
            tags={{ link: <span className="font-semibold underline" style={{ color: accentText }} /> }}
          />
        </p>
        <span
          className="rounded-sm border px-5 py-2.5 font-semibold"
          style={{ backgroundColor: accent, color: onAccent, borderColor: onAccent }}
        >
          {sample.button}
        </span>
      </div>
      <figcaption>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {measured.map(([what, contrast, needed]) => (
            <div key={what} className="contents">
              <dt className="text-ink-soft">{what}</dt>
              <dd className={contrast < needed ? 'figures font-semibold text-accent-text' : 'figures'}>
                {LOOK.ratio({
                  contrast: formatContrast(contrast),
                  needed: new Intl.NumberFormat(INTL_TAG).format(needed),
                })}
              </dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  )
}
