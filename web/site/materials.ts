/**
 * Colors of web/styles/tokens.css for places that CSS does not reach: pictures, the web manifest and the
 * browser's toolbar. A test compares them with the tokens.
 */
export const LIGHT = {
  paper: '#fbf6ec',
  sheet: '#f4ecdd',
  ink: '#16130f',
  inkSoft: '#5a534a',
  signal: '#e8401c',
} as const
export const DARK = { paper: '#12131c' } as const
