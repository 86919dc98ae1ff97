/**
 * The materials of web/styles/tokens.css for where no style sheet reaches: pictures, the web manifest and
 * the browser's own bar. A test holds them to the tokens.
 */
export const LIGHT = {
  paper: '#fbf6ec',
  sheet: '#f4ecdd',
  ink: '#16130f',
  inkSoft: '#5a534a',
  signal: '#e8401c',
} as const
export const DARK = { paper: '#12131c' } as const
