import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { reloadOnStaleChunk } from './reload-on-stale-chunk.ts'
import { MissingScreen } from './missing-screen.tsx'

type Module = { default: ComponentType }

/** A part of the application that is fetched when it is needed, and how to fetch it before. */
export type LazyScreen = { Part: ComponentType; fetch: () => Promise<void> }

/**
 * Not React's `lazy`: that keeps the old screen, with fields that can still be typed into, under the new
 * address, or holds the new one back for 300 ms. Here a move empties the screen at once, and the new one
 * stands as soon as it has arrived.
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

  function Part() {
    const [state, setState] = useState<'coming' | 'there' | 'missing'>(Loaded ? 'there' : 'coming')
    useEffect(() => {
      fetch()
        .then(() => setState('there'), reloadOnStaleChunk)
        .catch(() => setState('missing'))
    }, [])
    if (Loaded) return <Loaded />
    return state === 'missing' ? <MissingScreen /> : <div aria-busy="true" className="min-h-[70dvb]" />
  }

  return { Part, fetch }
}
