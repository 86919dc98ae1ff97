import campaign from '../campaign.ts'
import { TEST_KEYS } from '../deps.ts'

/** The context of emails that are rendered without a database. */
export const MAIL_CONTEXT = {
  campaign,
  publicUrl: 'https://site.example',
  keys: TEST_KEYS,
}
