import { exposureProblems } from '#server/exposure.ts'
import { judged } from '../finding.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../texts.ts'

export const environment: Check = {
  name: 'environment',
  needs: [],
  examine({ environment: { config, problems, unusable } }) {
    // Otherwise this would judge the defaults that stand in for unusable variables.
    const exposed = unusable.size > 0 ? [] : exposureProblems(config)
    const remarks = config.production ? [] : [WORDS.environment.notProduction]
    return judged([...problems, ...exposed], WORDS.environment.fine, remarks)
  },
}
