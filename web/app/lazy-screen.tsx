import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { SHARED_WORDS } from '#messages/shared.js'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { Button } from '#web/ui/button.tsx'

/**
 * Loads a screen on demand. Navigation removes the previous screen at once, and the new one renders when it
 * has loaded. With React's `lazy`, the previous screen would stay usable under the new URL, or the new screen
 * would be delayed by 300 ms. `load` preloads the screen.
 */
export function lazyScreen<Props extends object = { children?: ReactNode }>(
  importScreen: () => Promise<{ default: ComponentType<Props> }>,
) {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined

  function load(): Promise<void> {
    loading ??= importScreen().then(
      (module) => {
        Loaded = module.default
      },
      (error: unknown) => {
        // Forgets a failure, perhaps from a moment offline. If it were kept, opening the screen would reload
        // the page and so lose drafts.
        loading = undefined
        throw error
      },
    )
    return loading
  }

  function Component(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading')
    useEffect(() => {
      load()
        .then(() => setState('loaded'), reloadForNewBuild)
        .catch(() => setState('failed'))
    }, [])
    if (Loaded) return <Loaded {...props} />
    return state === 'failed' ? (
      <MissingScreen />
    ) : (
      <div aria-busy="true" className="page screen-outline min-h-[70dvb]" />
    )
  }

  return { Component, load }
}

/**
 * Reloads the page, because a newer build has probably replaced the file.
 * @throws if that would not help: the server is unreachable, or the page was just reloaded.
 */
async function reloadForNewBuild(): Promise<void> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'reload') throw new Error('Reloaded, but a file is still missing.')
  const { ok } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  if (!ok) throw new Error('The page cannot be reloaded.')
  location.reload()
}

function MissingScreen() {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    // The link may have been far down the previous screen.
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className="page min-h-[70dvb] pt-10 sm:pt-14">
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
