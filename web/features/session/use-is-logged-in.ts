import { useSyncExternalStore } from 'react'
import { followOtherTabs, isLoggedIn } from './session.ts'

/** {@link isLoggedIn}, also after a login or logout in another tab. */
export const useIsLoggedIn = (): boolean => useSyncExternalStore(followOtherTabs, isLoggedIn)
