import { type ReactNode, useId } from 'react'
import { MissingPart } from '../missing-part.tsx'

type ProfileSectionProps = { title: string; aside?: ReactNode; children: ReactNode }

/** A section below the passport. @param props.aside shown at the end of the heading. */
export function ProfileSection({ title, aside, children }: ProfileSectionProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="mt-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-3">
        <h2 id={headingId} className="text-2xl">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

export function MissingSection({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <ProfileSection title={title}>
      <MissingPart onRetry={onRetry} />
    </ProfileSection>
  )
}
