import * as z from 'zod/mini'
import { codePoints } from './fields.ts'

/**
 * Control and format characters, which terminals, spreadsheets and logs may interpret, and lone surrogates, which
 * PostgreSQL refuses. Line breaks, and the zero-width joiners in emoji, are allowed below.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}]/u
const isPlain = (text: string) => !CONTROLS.test(text.replaceAll('\n', '').replaceAll('\u200d', ''))

/** Trimmed plain text without control characters; its length is counted in code points. */
export function plainText(minimum: number, maximum: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => codePoints(text) >= minimum, 'required'),
    z.refine((text) => codePoints(text) <= maximum, 'text_long'),
    z.refine(isPlain, 'text_format'),
  )
}
