import * as z from 'zod/mini'
import { codePoints } from './fields.ts'

/**
 * Nothing that a terminal, a spreadsheet or a line of a log would take for more than text; lines may break. Nor
 * half a character, which no database takes.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}]/u
const isPlain = (text: string) => !CONTROLS.test(text.replaceAll('\n', '').replaceAll('\u200d', ''))

/** Words of a person to a person: plain text of at most that many code points, without control characters. */
export function plainText(minimum: number, maximum: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => codePoints(text) >= minimum, 'required'),
    z.refine((text) => codePoints(text) <= maximum, 'text_long'),
    z.refine(isPlain, 'text_format'),
  )
}
