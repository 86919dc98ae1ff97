import {
  COLOR_NAMES,
  type ColorName,
  contrastOf,
  isColor,
  type Palette,
  paletteOf,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  type Theme,
  THEMES,
} from '#contract/look.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { INTL_TAG } from '#messages/locale.js'
import { Field } from '#web/ui/forms/field.tsx'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { colorPath, lookOf, type LookValues } from './use-look.ts'
import { TitledSection } from '../dashboard-screen.tsx'

type ColorsProps = {
  values: LookValues
  problems: Readonly<Record<string, string>>
  onChange: (path: string, value: string | null) => void
}

export function Colors({ values, problems, onChange }: ColorsProps) {
  const look = lookOf(values)
  return (
    <TitledSection title={LOOK.colors}>
      <p className="mt-2 max-w-[60ch] text-ink-soft">{LOOK.colorsLead}</p>
      <div className="mt-6 grid gap-10 lg:grid-cols-2">
        {THEMES.map((theme) => (
          <div key={theme} className="grid content-start gap-5">
            <h3 className="label">{LOOK.themes[theme]}</h3>
            {COLOR_NAMES.map((name) => (
              <ColorField
                key={name}
                name={name}
                theme={theme}
                value={values[colorPath(name, theme)] ?? null}
                colorInEffect={paletteOf(look, theme)[name]}
                error={problems[colorPath(name, theme)]}
                onChange={(value) => onChange(colorPath(name, theme), value)}
              />
            ))}
            <Sample theme={theme} palette={paletteOf(look, theme)} />
          </div>
        ))}
      </div>
    </TitledSection>
  )
}

type ColorFieldProps = {
  name: ColorName
  theme: Theme
  value: string | null
  /** The color while the field is empty, shown as its placeholder. */
  colorInEffect: string
  error: string | undefined
  onChange: (value: string | null) => void
}

function ColorField({ name, theme, value, colorInEffect, error, onChange }: ColorFieldProps) {
  return (
    <Field
      label={LOOK.fields[theme][name]}
      hint={LOOK.uses[name]}
      error={error}
      value={value ?? ''}
      placeholder={colorInEffect}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value.trim() || null)}
      end={
        <input
          type="color"
          aria-label={LOOK.pickers[theme][name]}
          value={value !== null && isColor(value) ? value : colorInEffect}
          onChange={({ target }) => onChange(target.value)}
          className="absolute inset-y-0 end-0 h-auto min-h-11 w-14 cursor-pointer rounded-sm border border-hairline bg-paper p-1"
        />
      }
    />
  )
}

const ONE_DIGIT = new Intl.NumberFormat(INTL_TAG, { minimumFractionDigits: 1 })
/** Rounded down, so that a contrast shown as sufficient is sufficient. */
const formatContrast = (contrast: number) => ONE_DIGIT.format(Math.floor(contrast * 10) / 10)

function Sample({ theme, palette }: { theme: Theme; palette: Palette }) {
  const { sample, contrasts } = LOOK
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
          {measured.map(([label, contrast, needed]) => (
            <div key={label} className="contents">
              <dt className="text-ink-soft">{label}</dt>
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
