import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { reloadOnStaleChunk } from './reload-on-stale-chunk.ts'
import { MissingScreen } from './missing-screen.tsx'

type Module = { default: ComponentType }

/** A component loaded on demand; `fetch` preloads it. */
export type LazyScreen = { Component: ComponentType; fetch: () => Promise<void> }

/**
 * Not React's `lazy`: with it, the previous screen and its form fields stay usable under the new URL, or the
 * new screen is held back for 300 ms. Here navigation clears the screen at once, and the new one renders as
 * soon as it has loaded.
 */
export function lazyScreen(load: () => Promise<Module>): LazyScreen {
  let Loaded: ComponentType | undefined
  let loading: Promise<void> | undefined

  function fetch() {
    loading ??= load().then((module) => {
      Loaded = module.default
    })
    return loading
  }

  function Component() {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading')
    useEffect(() => {
      fetch()
        .then(() => setState('loaded'), reloadOnStaleChunk)
        .catch(() => setState('failed'))
    }, [])
    if (Loaded) return <Loaded />
    return state === 'failed' ? <MissingScreen /> : <div aria-busy="true" className="min-h-[70dvb]" />
  }

  return { Component, fetch }
}
