import { withLocalTimes } from '#web/features/time/time.tsx'

/** The server's sentence about a path, without that path at its beginning and with local times. */
export function sentenceOf(path: string, text: string): string {
  return withLocalTimes(toSentence(text.startsWith(`${path} `) ? text.slice(path.length + 1) : text))
}

/** A sentence from the words of a fault, which continue one that begins with the setting's name. */
export const toSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
