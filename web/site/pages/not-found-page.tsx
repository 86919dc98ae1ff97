import { NOT_FOUND } from '#messages/pages.js'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Mascot } from '#web/ui/pip.tsx'

export function NotFoundPage() {
  return (
    <div className="page grid justify-items-start gap-5 pt-20 lg:pt-28">
      <Mascot pose="asleep" className="w-32" />
      <h1 className="text-3xl">{NOT_FOUND.title}</h1>
      <p className="max-w-[52ch] text-lg text-ink-soft">{NOT_FOUND.text}</p>
      <a href={ROUTES.home.path} className={buttonStyle('primary')}>
        {NOT_FOUND.home}
      </a>
    </div>
  )
}
