import { useId, type ReactNode } from 'react'

type TitledSectionProps = { title: string; className?: string; children: ReactNode }

/** A section that is named by its heading. */
export function TitledSection({ title, className, children }: TitledSectionProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={className}>
      <h2 id={headingId} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
