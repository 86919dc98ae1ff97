import { type ReactNode, useId } from 'react'

type ProfileSectionProps = { title: string; aside?: ReactNode; children: ReactNode }

/** A section below the passport. @param props.aside stands at the end of its heading. */
export function ProfileSection({ title, aside, children }: ProfileSectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mt-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-3">
        <h2 id={heading} className="text-2xl">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
