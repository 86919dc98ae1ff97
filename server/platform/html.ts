/**
 * Escapes text for HTML and quoted attributes. An apostrophe becomes `&#39;`, because `&apos;` is unknown to
 * email programs that stayed at HTML 4.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
