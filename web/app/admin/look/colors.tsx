import { COLOR_NAMES, type ColorName, paletteOf, type Theme, THEMES } from '#contract/look.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { Field } from '#web/ui/forms/field.tsx'
import { Sample } from './sample.tsx'
import { colorPath, isColor, lookOf, type LookValues } from './use-look.ts'

type ColorsProps = {
  values: LookValues
  /** Messages by path. */
  problems: Readonly<Record<string, string>>
  onChange: (path: string, value: string | null) => void
}

/** The colors of both themes, each with a sample that shows them before they are saved. */
export function Colors({ values, problems, onChange }: ColorsProps) {
  const look = lookOf(values)
  return (
    <section aria-labelledby="look-colors">
      <h2 id="look-colors" className="text-xl">
        {LOOK.colors}
      </h2>
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
                shown={paletteOf(look, theme)[name]}
                error={problems[colorPath(name, theme)]}
                onChange={(value) => onChange(colorPath(name, theme), value)}
              />
            ))}
            <Sample theme={theme} palette={paletteOf(look, theme)} />
          </div>
        ))}
      </div>
    </section>
  )
}

type ColorFieldProps = {
  name: ColorName
  theme: Theme
  value: string | null
  /** The color in effect, which an empty field shows as its placeholder. */
  shown: string
  error: string | undefined
  onChange: (value: string | null) => void
}

/** A color as text, for pasting, and by the browser's picker. */
function ColorField({ name, theme, value, shown, error, onChange }: ColorFieldProps) {
  return (
    <Field
      label={LOOK.fields[theme][name]}
      hint={LOOK.uses[name]}
      error={error}
      value={value ?? ''}
      placeholder={shown}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value.trim() === '' ? null : target.value.trim())}
      end={
        <input
          type="color"
          aria-label={LOOK.pickers[theme][name]}
          value={value !== null && isColor(value) ? value : shown}
          onChange={({ target }) => onChange(target.value)}
          className="absolute inset-y-0 end-0 h-auto min-h-11 w-14 cursor-pointer rounded-sm border border-hairline bg-paper p-1"
        />
      }
    />
  )
}
