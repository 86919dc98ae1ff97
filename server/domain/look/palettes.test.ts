import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contrastOf,
  DEFAULT_PALETTES,
  hasColors,
  type Look,
  lookProblems,
  type Palette,
  paletteOf,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  THEMES,
} from '#contract/look.ts'
import { problemIn } from '../campaign/faults.ts'

const problemsOf = (colors: Look['colors']) =>
  lookProblems({ colors }).map(({ path, fault }) => problemIn({ paths: [path], fault }))

/** `proof` is the green of Verified, and the colors in `on…` are for text on another color. */
function assertReadable(palette: Palette) {
  const { paper, sheet, ink, inkSoft, accent, onAccent, accentText, proof, onProof } = palette
  for (const ground of [paper, sheet]) {
    for (const text of [ink, inkSoft, accentText, proof])
      assert.ok(contrastOf(text, ground) >= TEXT_CONTRAST, `${text} on ${ground}`)
    assert.ok(contrastOf(accent, ground) >= SHAPE_CONTRAST, `${accent} on ${ground}`)
  }
  assert.ok(contrastOf(onAccent, accent) >= TEXT_CONTRAST, `${onAccent} on ${accent}`)
  assert.ok(contrastOf(onProof, proof) >= TEXT_CONTRAST, `${onProof} on ${proof}`)
}

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(contrastOf('#777777', '#777777'), 1)
  assert.equal(contrastOf('#ffffff', '#767676').toFixed(2), '4.54')
})

test('a look without colors has the default palettes, which are readable', () => {
  for (const look of [undefined, {}, { colors: {} }, { colors: { accent: { light: null } } }])
    for (const theme of THEMES) {
      assert.deepEqual(paletteOf(look, theme), DEFAULT_PALETTES[theme])
      assert.equal(hasColors(look), false)
    }
  for (const theme of THEMES) assertReadable(DEFAULT_PALETTES[theme])
  assert.deepEqual(lookProblems(undefined), [])
})

test('every palette derived from accepted colors is readable', () => {
  const shades = ['00', '40', '80', 'b0', 'ff']
  const samples = shades.flatMap((red) =>
    shades.flatMap((green) => shades.map((blue) => `#${red}${green}${blue}`)),
  )
  let accepted = 0
  for (const theme of THEMES)
    for (const index of samples.keys()) {
      // No step is a multiple of 5, so each step visits all 125 samples in its own order.
      const [accent, paper, ink] = [1, 37, 53].map((step) => ({
        [theme]: samples[(index * step) % samples.length],
      }))
      for (const colors of [{ accent }, { paper }, { accent, paper, ink }]) {
        if (problemsOf(colors).length > 0) continue
        accepted += 1
        assertReadable(paletteOf({ colors }, theme))
      }
    }
  assert.ok(accepted > 100, `only ${accepted} combinations were accepted`)
})

test('colors for one theme do not change the other theme', () => {
  const look = { colors: { accent: { light: '#0a5cff' } } }
  assert.deepEqual(paletteOf(look, 'dark'), DEFAULT_PALETTES.dark)
  const light = paletteOf(look, 'light')
  assert.equal(light.accent, '#0a5cff')
  // Dark text on this blue has too little contrast.
  assert.equal(light.onAccent, DEFAULT_PALETTES.light.paper)
  assert.equal(light.paper, DEFAULT_PALETTES.light.paper)
})

test('colors with too little contrast are refused with a message that states the contrast', () => {
  assert.deepEqual(problemsOf({ accent: { light: '#ffd400' } }), [
    'look.colors.accent.light must differ more from the paper (#fbf6ec): buttons and lines have a contrast of 1.2:1, and need 3:1',
  ])
  assert.match(
    problemsOf({ ink: { dark: '#555555' } }).join('\n'),
    /^look\.colors\.ink\.dark must differ more from the paper \(#12131c\): text has a contrast of 2\.\d:1, and needs 4\.5:1/,
  )
  assert.match(
    problemsOf({ paper: { light: '#0b7a53' } }).join('\n'),
    /look\.colors\.paper\.light must differ more from the green of Verified \(#0b7a53\): it has a contrast of 1:1/,
  )
  assert.match(
    problemsOf({ accent: { light: '#7a7a7a' } }).join('\n'),
    /look\.colors\.accent\.light must be lighter or darker: the better of dark and light text on it has a contrast of 4\.\d:1/,
  )
})
