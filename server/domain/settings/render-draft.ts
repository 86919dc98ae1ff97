import type { CampaignFile } from '#contract/campaign-file.ts'
import type { PreviewPage } from '#contract/dashboard/settings.ts'
import type { Locale } from '#contract/locales.ts'

/** Renders a page of another campaign than the one that is served, in a language. */
export type RenderDraft = (page: PreviewPage, campaign: CampaignFile, locale: Locale) => Promise<string>

/**
 * Removes the scripts, which the sandbox of the preview would block and report one by one, and makes links
 * open a new tab, which it blocks: they would lead to the real site.
 */
export function withoutScripts(html: string): string {
  return html
    .replaceAll(/<script\b[^>]*>[^<]*<\/script>/g, '')
    .replaceAll(/<link rel="(?:modulepreload|manifest)"[^>]*>/g, '')
    .replace('<head>', '<head><base target="_blank"/>')
}
