/** Texts of the look: colors, logo and mascot. */
export const LOOK = {
  title: 'Look',
  lead: 'The campaign’s colors, logo and mascot. What you save here appears on all pages right away.',
  failed: 'We couldn’t load the look',
  again: 'Try again',
  loading: 'Loading the look',

  colors: 'Colors',
  colorsLead:
    'All other colors are derived from these so that text stays readable. Leave a field empty to use the default color.',
  themes: { light: 'Light', dark: 'Dark' },
  names: { accent: 'Accent', paper: 'Paper', ink: 'Ink' },
  uses: { accent: 'Buttons, lines, links', paper: 'Background', ink: 'Text' },
  field: (name: string, theme: string) => `${name}, ${theme.toLowerCase()}`,
  picker: (name: string, theme: string) => `Choose ${name.toLowerCase()}, ${theme.toLowerCase()}`,
  malformed: 'Enter a color like #e8401c.',
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
      lead: 'Used in the header, icons, share pictures and emails. Make it square, or up to four times as wide as it is high.',
    },
    mascot: { title: 'Mascot', lead: 'Replaces Pip everywhere. Use a transparent background.' },
  },
  rules: 'PNG, JPEG or WebP, 64 pixels or more, up to 5 MB.',
  choose: 'Choose a file',
  replace: 'Choose another file',
  uploading: 'Uploading',
  remove: 'Remove',
  own: 'Default',
  alt: { logo: 'The logo', mascot: 'The mascot' },
  uploadFailed: 'We couldn’t upload the picture',
  tooLarge: 'This picture is larger than 5 MB. Make it smaller: 1024 by 1024 pixels is enough.',

  save: 'Save the look',
  discard: 'Discard changes',
  saved: 'Saved. The pages of the site show it now. Reload this page to see it here.',
  saveFailed: 'We couldn’t save the look',
  unsaved: 'Not saved yet',
  problems: 'Fix the marked colors first.',
} as const
