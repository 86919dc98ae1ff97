import * as z from 'zod/mini'

const COLOR_PATTERN = /^#[0-9a-fA-F]{6}$/
export const isColor = (text: string): boolean => COLOR_PATTERN.test(text)

const Color = z.string().check(z.regex(COLOR_PATTERN, 'color'))
/** One color per theme. Null stands for the product's own color. */
const ColorInThemes = z.strictObject({
  light: z.optional(z.nullable(Color)),
  dark: z.optional(z.nullable(Color)),
})
const Picture = z.string().check(z.minLength(1, 'empty'), z.maxLength(1_000, 'too_long'))

/** Colors, logo and mascot. All other colors are derived from these, so that text stays readable. */
export const Look = z.strictObject({
  colors: z.optional(
    z.strictObject({
      /** Fills, lines and, darkened or lightened as far as needed, links. */
      accent: z.optional(ColorInThemes),
      /** The background. */
      paper: z.optional(ColorInThemes),
      /** Text. */
      ink: z.optional(ColorInThemes),
    }),
  ),
  /** A path relative to the campaign file, or an uploaded `/brand/…` picture; null for the product's own. */
  logo: z.optional(z.nullable(Picture)),
  mascot: z.optional(z.nullable(Picture)),
})
export type Look = z.output<typeof Look>

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const COLOR_NAMES = ['accent', 'paper', 'ink'] as const
export type ColorName = (typeof COLOR_NAMES)[number]

/** All colors of a theme, as #rrggbb: `sheet` for boxes, `proof` for what is verified. As in tokens.css. */
export type Palette = Record<
  'paper' | 'sheet' | 'ink' | 'inkSoft' | 'accent' | 'onAccent' | 'accentText' | 'proof' | 'onProof',
  string
>

export const DEFAULT_PALETTES: Record<Theme, Palette> = {
  light: {
    paper: '#fbf6ec',
    sheet: '#f4ecdd',
    ink: '#16130f',
    inkSoft: '#5a534a',
    accent: '#e8401c',
    onAccent: '#16130f',
    accentText: '#c2330f',
    proof: '#0b7a53',
    onProof: '#fbf6ec',
  },
  dark: {
    paper: '#12131c',
    sheet: '#1a1c28',
    ink: '#f4eee1',
    inkSoft: '#b3ada1',
    accent: '#ff6a45',
    onAccent: '#16130f',
    accentText: '#ff8a6b',
    proof: '#46d39a',
    onProof: '#12131c',
  },
}

/** The contrast that WCAG AA requires: of text, and of shapes that carry meaning. */
export const TEXT_CONTRAST = 4.5
export const SHAPE_CONTRAST = 3

const DARK_TEXT = DEFAULT_PALETTES.light.ink
const LIGHT_TEXT = DEFAULT_PALETTES.light.paper

export const hasColors = (look: Look | undefined): boolean =>
  THEMES.some((theme) => COLOR_NAMES.some((name) => Boolean(look?.colors?.[name]?.[theme])))

/** The colors of a theme: set by the look, derived from what it sets, or else the product's own. */
export function paletteOf(look: Look | undefined, theme: Theme): Palette {
  const defaults = DEFAULT_PALETTES[theme]
  const named = (name: ColorName) => look?.colors?.[name]?.[theme]?.toLowerCase()
  const paper = named('paper') ?? defaults.paper
  const ink = named('ink') ?? defaults.ink
  const accent = named('accent') ?? defaults.accent
  const hasDefaultPaperAndInk = paper === defaults.paper && ink === defaults.ink
  // The shares 0.05 and 0.3 keep about the distances of the product's own palette.
  const sheet = hasDefaultPaperAndInk ? defaults.sheet : mix(paper, ink, 0.05)
  const grounds = [paper, sheet]
  return {
    paper,
    sheet,
    ink,
    inkSoft: hasDefaultPaperAndInk
      ? defaults.inkSoft
      : withReadableContrast(mix(ink, paper, 0.3), ink, grounds),
    accent,
    onAccent: accent === defaults.accent ? defaults.onAccent : pickReadable(accent, DARK_TEXT, LIGHT_TEXT),
    accentText:
      hasDefaultPaperAndInk && accent === defaults.accent
        ? defaults.accentText
        : withReadableContrast(accent, ink, grounds),
    proof: defaults.proof,
    onProof: hasDefaultPaperAndInk ? defaults.onProof : pickReadable(defaults.proof, DARK_TEXT, LIGHT_TEXT),
  }
}

/** The color nearest to `color`, on the way to `toward`, in which text is readable on all grounds. */
function withReadableContrast(color: string, toward: string, grounds: readonly string[]): string {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, toward, share)
    if (lowestContrast(candidate, grounds) >= TEXT_CONTRAST) return candidate
  }
  return toward
}

/** `preferred` if it is readable on the ground, or at least as readable as `other`. */
const pickReadable = (ground: string, preferred: string, other: string) =>
  contrastOf(ground, preferred) >= Math.min(TEXT_CONTRAST, contrastOf(ground, other)) ? preferred : other

const lowestContrast = (color: string, grounds: readonly string[]) =>
  Math.min(...grounds.map((ground) => contrastOf(color, ground)))

type FaultFacts =
  | { code: 'text_contrast' | 'accent_contrast'; from: ColorName; color: string }
  | { code: 'proof_contrast'; color: string }
  | { code: 'accent_text_contrast' }

/**
 * A contrast that is too low. `contrast` and `needed` are ratios such as `2.9:1`. `code` names the message
 * among `FAULTS` in `messages/`. `color` (#rrggbb) is what the faulty color is too close to; `from` is the
 * name of `color`.
 */
export type LookFault = FaultFacts & { contrast: string; needed: string }

type LookProblem = { path: `look.colors.${ColorName}.${Theme}`; fault: LookFault }

/** Colors that cannot be read or seen on one another, with the contrast that was measured. */
export function lookProblems(look: Look | undefined): LookProblem[] {
  return THEMES.flatMap((theme) => problemsIn(look, theme))
}

function problemsIn(look: Look | undefined, theme: Theme): LookProblem[] {
  const palette = paletteOf(look, theme)
  const { paper, sheet, ink, accent, onAccent, proof } = palette
  const onGrounds = (color: string) => lowestContrast(color, [paper, sheet])
  const from = (name: ColorName) => ({ from: name, color: palette[name] })
  /** Blames the first of `names` that the look sets. A look that sets none of them is not at fault. */
  const problemIn = (
    names: readonly ColorName[],
    contrast: number,
    needed: number,
    faultOf: (faulty: ColorName) => FaultFacts,
  ): LookProblem[] => {
    const faulty = names.find((name) => look?.colors?.[name]?.[theme])
    if (faulty === undefined || contrast >= needed) return []
    const measured = { contrast: asRatio(contrast), needed: asRatio(needed) }
    return [{ path: `look.colors.${faulty}.${theme}`, fault: { ...faultOf(faulty), ...measured } }]
  }
  return [
    ...problemIn(['ink', 'paper'], onGrounds(ink), TEXT_CONTRAST, (faulty) => ({
      code: 'text_contrast',
      ...from(faulty === 'ink' ? 'paper' : 'ink'),
    })),
    ...problemIn(['accent'], contrastOf(accent, onAccent), TEXT_CONTRAST, () => ({
      code: 'accent_text_contrast',
    })),
    ...problemIn(['accent', 'paper'], onGrounds(accent), SHAPE_CONTRAST, (faulty) => ({
      code: 'accent_contrast',
      ...from(faulty === 'accent' ? 'paper' : 'accent'),
    })),
    ...problemIn(['paper', 'ink'], onGrounds(proof), TEXT_CONTRAST, () => ({
      code: 'proof_contrast',
      color: proof,
    })),
  ]
}

/** Rounded down, so that a refused color never appears to meet the requirement. */
const asRatio = (contrast: number) => `${Math.floor(contrast * 10) / 10}:1`

/** The contrast ratio of two colors (WCAG 2), from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue, from 0 to 255. */
export const channels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** Mixes colors, given as #rrggbb. @param share of the added color, from 0 to 1. */
export function mix(color: string, added: string, share: number): string {
  const addedChannels = channels(added)
  const mixed = channels(color).map((channel, index) =>
    Math.round(channel + ((addedChannels[index] ?? 0) - channel) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
