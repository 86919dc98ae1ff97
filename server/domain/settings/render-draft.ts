import type { CampaignFile } from '#contract/campaign-file.ts'
import type { PreviewPage } from '#contract/dashboard/settings.ts'
import type { Locale } from '#contract/locales.ts'

/** Renders a page of a campaign other than the one that is served, in a language. */
export type RenderDraft = (page: PreviewPage, campaign: CampaignFile, locale: Locale) => Promise<string>

/**
 * Prepares a page for the sandbox of the preview. Removes scripts: the sandbox would block and report each.
 * Links lead to the real site, so they are made to open in a new tab, which the sandbox blocks.
 */
export function prepareForSandbox(html: string): string {
  return html
    .replaceAll(/<script\b[^>]*>[^<]*<\/script>/g, '')
    .replaceAll(/<link rel="(?:modulepreload|manifest)"[^>]*>/g, '')
    .replace('<head>', '<head><base target="_blank"/>')
}
