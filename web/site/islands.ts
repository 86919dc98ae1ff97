import { createElement, type ComponentType, type ReactElement } from 'react'
import { Countdown } from '#web/features/campaign/countdown.tsx'
import { Heartbeat } from '#web/features/heartbeat/heartbeat.tsx'
import { SideMenu } from '#web/features/layout/side-menu.tsx'
import { PriceText } from '#web/features/price/price-text.tsx'
import { ThemeSwitch } from '#web/features/theme/theme-switch.tsx'
import { AddToWallet } from './add-to-wallet.tsx'
import { CopyContract, CopyFact, ShareSite } from './copy-and-share.tsx'
import { WalletChoice } from './wallet-choice.tsx'

/** Components hydrated in the browser, by the name in the HTML. */
export const ISLANDS = {
  Countdown,
  Heartbeat,
  SideMenu,
  PriceText,
  ThemeSwitch,
  CopyContract,
  CopyFact,
  ShareSite,
  WalletChoice,
  AddToWallet,
}

export type IslandName = keyof typeof ISLANDS
export type IslandProps<Name extends IslandName> =
  (typeof ISLANDS)[Name] extends ComponentType<infer Props> ? Props : never

/** Creates an island's element, on the server and in the browser. Throws for an unknown name. */
export function islandElement(name: string, props: object): ReactElement {
  const component = (ISLANDS as unknown as Record<string, ComponentType<object>>)[name]
  if (!component) throw new Error(`Unknown island ${name}`)
  return createElement(component, props)
}
