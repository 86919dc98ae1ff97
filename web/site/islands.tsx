import { createElement, type ComponentType, type ReactElement } from 'react'
import { COPY, SHARE } from '#messages/islands.js'
import { Countdown } from '#web/features/campaign/opening-countdown.tsx'
import { Heartbeat } from '#web/features/heartbeat/heartbeat.tsx'
import { SideMenu } from '#web/features/layout/side-menu.tsx'
import { PriceText } from '#web/features/price/price-text.tsx'
import { ThemeSwitch } from '#web/features/theme/theme-switch.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { AddToWallet, WalletChoice } from './wallet-islands.tsx'

/** Components that are hydrated in the browser, by their name in the HTML. */
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

type IslandName = keyof typeof ISLANDS
type IslandProps<Name extends IslandName> =
  (typeof ISLANDS)[Name] extends ComponentType<infer Props> ? Props : never

/** Used on the server and in the browser. @throws if the name is unknown. */
export function islandElement(name: string, props: object): ReactElement {
  const component = (ISLANDS as unknown as Record<string, ComponentType<object>>)[name]
  if (!component) throw new Error(`Unknown island ${name}`)
  return createElement(component, props)
}

/**
 * Renders an interactive component with its props for `hydrate.ts`. Props must survive JSON. The component
 * must not use `useId`, because it is a React root of its own in the browser.
 */
export function Island<Name extends IslandName>({ name, props }: { name: Name; props: IslandProps<Name> }) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)} className="contents">
      {islandElement(name, props as object)}
    </div>
  )
}

type CopyContractProps = { contract: string; label: string; showsAlert?: boolean }

/** Copies the contract address to the clipboard. `showsAlert` confirms it in a browser alert too. */
function CopyContract({ contract, label, showsAlert }: CopyContractProps) {
  return (
    <CopyButton
      text={contract}
      label={label}
      copiedLabel={COPY.copied}
      className="needs-script"
      onCopied={showsAlert ? () => alert(COPY.contractCopied) : undefined}
    />
  )
}

function CopyFact({ label, value }: { label: string; value: string }) {
  return (
    <CopyButton
      text={value}
      label={COPY.copy}
      contentName={label}
      copiedLabel={COPY.copied}
      variant="quiet"
      className="needs-script min-w-16"
    />
  )
}

function ShareSite({ title, text }: { title: string; text: string }) {
  return (
    <ShareButton
      share={{ title, text, url: '/' }}
      label={SHARE.share}
      copiedLabel={SHARE.copied}
      className="needs-script"
    />
  )
}
