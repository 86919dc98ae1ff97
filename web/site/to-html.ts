import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'

/** The HTML of a whole page. @throws if it contains an inline script or style. */
export function toHtml(page: ReactElement): string {
  const html = renderToString(page)
  refuseInline(html)
  return `<!DOCTYPE html>${html}`
}

const INLINE = [
  /<script(?![^>]*\ssrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>/i,
  /<style[\s>]/i,
  /<[a-z][^>]*\sstyle=/i,
  /<[a-z][^>]*\son[a-z]+=/i,
  /href="javascript:/i,
]

/** @throws on inline scripts and styles, which the content security policy would block silently. */
export function refuseInline(html: string) {
  for (const pattern of INLINE) {
    const [match] = pattern.exec(html) ?? []
    if (match) throw new Error(`A page must hold nothing inline, but has ${match.slice(0, 120)}`)
  }
}
