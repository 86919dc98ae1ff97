import { PICTURE_PARTS } from '#contract/dashboard/pictures.ts'
import { isColor, type LookFault, lookProblems } from '#contract/look.ts'
import { FAULTS } from '#messages/dashboard-faults.js'
import { LOOK } from '#messages/dashboard-look.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { messageOf } from '#web/features/api/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { toSentence } from '../settings/problems.tsx'
import { Colors } from './colors.tsx'
import { PictureField } from './picture-field.tsx'
import { lookOf, type LookValues, picturePath, useLook } from './use-look.ts'

/** The look as a dashboard screen. The setup shows only the form. */
export default function LookScreen() {
  const look = useLook()
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.look} error={look.query.error}>
      <h1 className="mt-6 text-2xl">{LOOK.title}</h1>
      <p className="mt-2 mb-8 max-w-[60ch] text-ink-soft">{LOOK.lead}</p>
      <LookForm look={look} />
    </DashboardScreen>
  )
}

/** Edits colors, logo and mascot. Nothing is public until it is saved. */
export function LookForm({ look }: { look: ReturnType<typeof useLook> }) {
  const { query } = look
  return (
    <QueryContent
      query={query}
      words={{ loading: LOOK.loading, failed: messageOf(query.error, LOOK.failed) }}
      heights={['h-48', 'h-32']}
    >
      {(values) => <Fields look={look} values={values} />}
    </QueryContent>
  )
}

function Fields({ look, values }: { look: ReturnType<typeof useLook>; values: LookValues }) {
  const { set, isChanged, discard, isSaving, save, refusals } = look
  const problems = problemsOf(values)
  const hasProblems = Object.keys(problems).length > 0
  return (
    <div className="grid gap-12">
      <Colors values={values} problems={{ ...refusals, ...problems }} onChange={set} />
      {PICTURE_PARTS.map((part) => (
        <PictureField
          key={part}
          part={part}
          look={lookOf(values)}
          reference={values[picturePath(part)] ?? null}
          error={refusals[picturePath(part)]}
          onChange={(reference) => set(picturePath(part), reference)}
        />
      ))}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-hairline bg-paper py-4">
        <Button isPending={isSaving} disabled={!isChanged || hasProblems} onClick={() => save()}>
          {LOOK.save}
        </Button>
        <Button variant="quiet" disabled={!isChanged || isSaving} onClick={discard}>
          {LOOK.discard}
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {hasProblems ? LOOK.problems : isChanged && LOOK.unsaved}
        </p>
      </div>
    </div>
  )
}

/** Messages about the values, by path. */
function problemsOf(values: LookValues): Record<string, string> {
  const malformed = Object.entries(values)
    .filter(([path, value]) => path.startsWith('look.colors.') && value !== null && !isColor(value))
    .map(([path]) => [path, LOOK.malformed])
  const contrasts = lookProblems(lookOf(values)).map(({ path, fault }) => [path, toSentence(wordsFor(fault))])
  return Object.fromEntries([...contrasts, ...malformed]) as Record<string, string>
}

function wordsFor(fault: LookFault): string {
  switch (fault.code) {
    case 'text_contrast':
      return FAULTS.text_contrast(fault)
    case 'accent_contrast':
      return FAULTS.accent_contrast(fault)
    case 'accent_text_contrast':
      return FAULTS.accent_text_contrast(fault)
    case 'proof_contrast':
      return FAULTS.proof_contrast(fault)
  }
}
