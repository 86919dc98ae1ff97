import { ROUTES } from '#web/routes.ts'
import { Mascot } from '#web/ui/pip.tsx'

/** @param props.current the page's path: `data-here` keeps the browser from prerendering that page. */
export function HomeLink({ name, current }: { name: string; current?: string }) {
  return (
    <a
      href={ROUTES.home.path}
      data-here={current === ROUTES.home.path ? '' : undefined}
      className="flex min-h-11 min-w-0 items-center gap-2.5 font-display text-lg leading-none font-extrabold tracking-tight max-[22rem]:gap-1.5 max-[22rem]:text-sm"
    >
      <Mascot pose="face" className="pip-hops size-8 shrink-0" />
      <span className="line-clamp-2 leading-[1.15]">{name}</span>
    </a>
  )
}
