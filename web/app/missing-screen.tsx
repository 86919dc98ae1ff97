import { SHARED_WORDS } from '#web/content/shared.ts'
import { MAIN_ID } from '#web/features/layout/chrome.ts'
import { Button } from '#web/ui/button.tsx'

/** Shown when the file of a screen cannot be fetched. */
export function MissingScreen() {
  return (
    <main id={MAIN_ID} tabIndex={-1} className="page min-h-[70dvb] pt-10 sm:pt-14">
      <div role="alert">
        <h1 className="text-3xl">{SHARED_WORDS.missing}</h1>
        <p className="mt-3 text-lg text-ink-soft">{SHARED_WORDS.missingWhy}</p>
      </div>
      <Button className="mt-8" onClick={() => location.reload()}>
        {SHARED_WORDS.again}
      </Button>
    </main>
  )
}
