/** The names of the emails about alerts. */
export const ALERT_TEMPLATES = ['alert-raised', 'alert-cleared'] as const
