import { OUTBOX } from '#messages/dashboard-mail.js'

const NAMES: Readonly<Record<string, string>> = OUTBOX.templates

/** The name of a kind of email: from the messages, or else made from the template's id. */
export const templateName = (template: string): string =>
  NAMES[template] ?? `${template.charAt(0).toUpperCase()}${template.slice(1).replaceAll('-', ' ')}`
