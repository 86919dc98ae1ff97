import type { ReactNode } from 'react'

/** A section of a dashboard screen, with its heading. */
export function DashboardSection({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-2">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
