import { type ReactNode, useId } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MissingPart } from '../missing-part.tsx'

type ProfileSectionProps = { title: string; aside?: ReactNode; children: ReactNode }

/**
 * Contains the sections below the passport. Those after a {@link PendingSection} are hidden: a section that
 * appeared above them would move them away from the pointer or the focus.
 */
export function ProfileSections({ children }: { children: ReactNode }) {
  return <div className="[&>:is([data-pending],:has([data-pending]))~*]:hidden">{children}</div>
}

/** In place of a section that loads for the first time. */
export function PendingSection({ className = 'mt-12 h-24' }: { className?: string }) {
  return (
    <div data-pending>
      <Skeleton className={className} />
    </div>
  )
}

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
