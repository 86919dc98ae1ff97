import { LOOK as LOOK_MESSAGES } from '#messages/dashboard-look.js'
/** Texts of the look: colors, logo and mascot. */
export const LOOK = {
  ...LOOK_MESSAGES,
  field: (name: string, theme: string) => `${name}, ${theme.toLowerCase()}`,
  picker: (name: string, theme: string) => `Choose ${name.toLowerCase()}, ${theme.toLowerCase()}`,
  sample: {
    label: (theme: string) => `Sample, ${theme.toLowerCase()}`,
    heading: 'Open the airdrop',
    text: 'Text on paper, and',
    link: 'a link',
    button: 'Register Now',
  },
  ratio: (contrast: number, needed: number) =>
    `${(Math.floor(contrast * 10) / 10).toFixed(1)}:1, needs ${needed}:1`,
}
