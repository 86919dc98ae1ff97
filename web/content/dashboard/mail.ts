import { OUTBOX } from '#messages/dashboard-mail.js'

const NAMES: Readonly<Record<string, string>> = OUTBOX.templates

/** A name for an email that has none of its own in the catalogue. */
export const templateName = (template: string): string =>
  NAMES[template] ?? `${template.charAt(0).toUpperCase()}${template.slice(1).replaceAll('-', ' ')}`
