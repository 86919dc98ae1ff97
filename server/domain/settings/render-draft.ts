import type { CampaignFile } from '#contract/campaign-file.ts'
import type { PreviewPage } from '#contract/dashboard/settings.ts'
import type { Locale } from '#contract/locales.ts'

/** Renders a page of a campaign that is not being served. */
export type RenderDraft = (page: PreviewPage, campaign: CampaignFile, locale: Locale) => Promise<string>

/**
 * Prepares a page for the preview. Its sandbox allows neither scripts nor new tabs. Scripts are removed,
 * because the sandbox would report each. Links lead to the real site, so they are made to open in a new tab.
 */
export function prepareForSandbox(html: string): string {
  return html
    .replaceAll(/<script\b[^>]*>[^<]*<\/script>/g, '')
    .replaceAll(/<link rel="(?:modulepreload|manifest)"[^>]*>/g, '')
    .replace('<head>', '<head><base target="_blank"/>')
}
