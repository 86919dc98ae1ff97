import { deriveKeys } from '#server/platform/secrets.ts'
import campaign from '../campaign.ts'

/** For emails that are rendered without a database; the keys are those of {@link testDeps}. */
export const MAIL_CONTEXT = {
  campaign,
  publicUrl: 'https://site.example',
  keys: deriveKeys('a secret of the tests, long enough to be one'),
}
