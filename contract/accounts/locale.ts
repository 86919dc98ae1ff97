import * as z from 'zod/mini'
import { MessageReply } from '../entities.ts'
import { LOCALE_PATH, LOCALES } from '../locales.ts'
import { endpoint } from '../protocol/endpoint.ts'

export const chooseLocale = endpoint(`PUT ${LOCALE_PATH}`, {
  access: 'participant',
  changes: [],
  summary:
    'Choose the language of the caller’s account: emails come in it, and replies where nothing else is chosen.',
  body: z.strictObject({ locale: z.enum(LOCALES) }),
  reply: MessageReply,
})
