import campaign from '../campaign.ts'
import { TEST_KEYS } from '../deps.ts'

/** For emails that are rendered without a database. */
export const MAIL_CONTEXT = {
  campaign,
  publicUrl: 'https://site.example',
  keys: TEST_KEYS,
}
