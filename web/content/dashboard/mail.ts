import { OUTBOX } from '#messages/dashboard-mail.js'

const NAMES: Readonly<Record<string, string>> = OUTBOX.templates

/** The name of a kind of email; the template's id if only an earlier version sent it. */
export const templateName = (template: string): string => NAMES[template] ?? template
