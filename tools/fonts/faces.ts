import { LOCALE_NAMES } from '#contract/locales.ts'
import type subsetFont from 'subset-font'

type Axes = NonNullable<Parameters<typeof subsetFont>[2]['variationAxes']>
/** A value for each axis of a variable font. */
export type Place = Record<string, number>

export type Family = {
  /** The name in the style sheets. */
  name: string
  package: string
  weight: string
  /** Fonts of the device to use if it has them. */
  local?: string[]
  /** The axis in the package's file names. */
  fileAxis: string
  axes: Axes
  /** The features to keep; by default all. */
  features?: string[]
  /** Uses the kerning of this place everywhere. By default, kerning varies with the axes. */
  kernedAt?: Place
  /** The `unicode-range` of each file by the suffix of the file's name. */
  ranges: Record<string, string>
}

/**
 * Four files for each Latin family. The product's own texts need only two: `latin-core` for English, Spanish,
 * Portuguese and the direction marks of Arabic, and `latin-ext-core` for the additional letters of Turkish.
 * The other two load when a name or a post needs them. Other scripts use the system's fonts.
 */
const LATIN = {
  'latin-core': `
    U+0020-0029, U+002B-003B, U+003F-005A, U+005F, U+0061-007A, U+00A0-00A1, U+00AB, U+00B7, U+00BB,
    U+00BF-00C3, U+00C7, U+00C9-00CA, U+00CD, U+00D1, U+00D3-00D6, U+00DA, U+00DC, U+00E0-00E3, U+00E7,
    U+00E9-00EA, U+00ED, U+00F1, U+00F3-00F6, U+00FA, U+00FC, U+0131, U+200E-200F, U+2013-2014,
    U+2018-2019, U+201C-201D, U+2026, U+2060, U+2066-2069`,
  'latin-rest': `
    U+002A, U+003C-003E, U+005B-005E, U+0060, U+007B-007E, U+00A2-00AA, U+00AC-00B6, U+00B8-00BA,
    U+00BC-00BE, U+00C4-00C6, U+00C8, U+00CB-00CC, U+00CE-00D0, U+00D2, U+00D7-00D9, U+00DB,
    U+00DD-00DF, U+00E4-00E6, U+00E8, U+00EB-00EC, U+00EE-00F0, U+00F2, U+00F7-00F9, U+00FB,
    U+00FD-00FF, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-200D,
    U+2010-2012, U+2015-2017, U+201A-201B, U+201E-2025, U+2027-205F, U+2061-2065, U+206A-206F, U+20AC,
    U+2122, U+2190-2193, U+2212, U+2215, U+FEFF, U+FFFD`,
  'latin-ext-core': 'U+011E-011F, U+0130, U+015E-015F',
  'latin-ext-rest': `
    U+0100-011D, U+0120-012F, U+0132-0151, U+0154-015D, U+0160-02BA, U+02BD-02C5, U+02C7-02CC,
    U+02CE-02D7, U+02DD-02FF, U+0304, U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020,
    U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF`,
}

const rangeOf = (text: string) =>
  [...text].map((character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`).join(', ')

export const FAMILIES: readonly Family[] = [
  {
    name: 'Bricolage Grotesque Variable',
    package: 'bricolage-grotesque',
    weight: '800',
    fileAxis: 'opsz',
    // One optical size for buttons and hero: keeping that axis would double the file.
    axes: { wght: 800, opsz: 48 },
    features: ['ccmp', 'kern', 'locl', 'mark'],
    ranges: LATIN,
  },
  {
    name: 'Instrument Sans Variable',
    package: 'instrument-sans',
    weight: '400 600',
    fileAxis: 'wght',
    axes: { wght: { min: 400, max: 600 } },
    features: ['ccmp', 'kern', 'locl', 'mark', 'tnum'],
    // Makes `latin-core` 15.0 kB instead of 18.3. At weights 400 and 600, lines become 0.1 % shorter or
    // longer. No pair of characters moves by more than 0.034 em, half a pixel in running text.
    kernedAt: { wght: 500 },
    ranges: LATIN,
  },
  {
    name: 'JetBrains Mono Variable',
    package: 'jetbrains-mono',
    weight: '400 700',
    fileAxis: 'wght',
    axes: { wght: { min: 400, max: 700 } },
    // No ligatures: they would join the `0x` of an address.
    features: ['ccmp', 'locl', 'mark', 'zero'],
    ranges: {
      ...LATIN,
      // No accented capital letters.
      'latin-core': `
        U+0020-0029, U+002B-003B, U+003F-005A, U+005F, U+0061-007A, U+00A0, U+00B7, U+00D6, U+00E0-00E3,
        U+00E7, U+00E9-00EA, U+00ED, U+00F1, U+00F3-00F6, U+00FA, U+00FC, U+0131, U+200E-200F, U+2013-2014,
        U+2018-2019, U+201C-201D, U+2026, U+2060, U+2066-2069`,
      'latin-rest': `
        U+002A, U+003C-003E, U+005B-005E, U+0060, U+007B-007E, U+00A1-00B6, U+00B8-00D5, U+00D7-00DF,
        U+00E4-00E6, U+00E8, U+00EB-00EC, U+00EE-00F0, U+00F2, U+00F7-00F9, U+00FB, U+00FD-00FF,
        U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-200D, U+2010-2012,
        U+2015-2017, U+201A-201B, U+201E-2025, U+2027-205F, U+2061-2065, U+206A-206F, U+20AC, U+2122,
        U+2190-2193, U+2212, U+2215, U+FEFF, U+FFFD`,
    },
  },
  {
    // For “Chinese” in Chinese, in the footer of every page: no other text needs a Chinese font. If the
    // device has none, it loads these characters, merged from three of the package's files.
    name: 'Chinese Name',
    package: 'noto-sans-sc',
    weight: '500',
    local: [
      'PingFangSC-Medium',
      'Microsoft YaHei',
      'Noto Sans CJK SC Medium',
      'NotoSansCJKsc-Medium',
      'Noto Sans CJK SC',
      'NotoSansCJKsc-Regular',
      'Noto Sans SC',
    ],
    fileAxis: 'wght',
    axes: { wght: 500 },
    features: [],
    ranges: { '117-118-119': rangeOf(LOCALE_NAMES['zh-Hans']) },
  },
]
