/**
 * Escapes text for use in HTML text or a quoted attribute. The apostrophe becomes a number, because HTML 4 does not
 * define `&apos;`, and these texts also go into emails.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
