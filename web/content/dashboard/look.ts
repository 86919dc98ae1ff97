/** Texts of the look: colors, logo and mascot. */
export const LOOK = {
  title: 'Look',
  lead: 'Colors, logo and mascot of the campaign. Pages show what is saved here at once, on every device.',
  failed: 'The look could not be read',
  again: 'Try again',
  loading: 'Reading the look',

  colors: 'Colors',
  colorsLead:
    'All others are derived from these, so that text stays readable. Empty fields use the product’s own color.',
  themes: { light: 'Light', dark: 'Dark' },
  names: { accent: 'Accent', paper: 'Paper', ink: 'Ink' },
  uses: { accent: 'Buttons, lines, links', paper: 'Background', ink: 'Text' },
  field: (name: string, theme: string) => `${name}, ${theme.toLowerCase()}`,
  picker: (name: string, theme: string) => `Choose ${name.toLowerCase()}, ${theme.toLowerCase()}`,
  malformed: 'Write a color as #e8401c.',
  sample: {
    label: (theme: string) => `Sample, ${theme.toLowerCase()}`,
    heading: 'Open the airdrop',
    text: 'Text on paper, and',
    link: 'a link',
    button: 'Register Now',
  },
  contrasts: { ink: 'Text', accentText: 'Links', accent: 'Buttons and lines', onAccent: 'Text on buttons' },
  ratio: (contrast: number, needed: number) =>
    `${(Math.floor(contrast * 10) / 10).toFixed(1)}:1, needs ${needed}:1`,

  pictures: {
    logo: {
      title: 'Logo',
      lead: 'In the header, in icons, share pictures and emails. Square, or up to four times as wide as high.',
    },
    mascot: { title: 'Mascot', lead: 'Wherever Pip stands now. On a transparent background.' },
  },
  rules: 'PNG, JPEG or WebP, 64 pixels or more, up to 5 MB.',
  choose: 'Choose a file',
  replace: 'Choose another file',
  uploading: 'Uploading',
  remove: 'Remove',
  own: 'The product’s own',
  alt: { logo: 'The logo', mascot: 'The mascot' },
  uploadFailed: 'The picture could not be uploaded',
  tooLarge: 'This picture is larger than 5 MB. Make it smaller: 1024 by 1024 pixels are enough.',

  save: 'Save the look',
  discard: 'Discard changes',
  saved: 'Saved. Pages show it from now on; reload this one to see it here.',
  saveFailed: 'The look could not be saved',
  unsaved: 'Not saved yet',
  problems: 'Fix the marked colors first.',
} as const
