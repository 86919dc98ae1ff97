import { useRef, type MouseEvent } from 'react'
import { LAYOUT } from '#messages/layout.js'
import { LanguageSwitch } from '#web/features/language/language-switch.tsx'
import { NAVIGATION, ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Icon } from '#web/ui/icon.tsx'
import { type ScreenLinkElement, SIDE_MENU_ID } from './layout.ts'

type SideMenuProps = {
  /** The path that the navigation shows as current. */
  current: string
  /** The path that the language switch offers in other languages. */
  path: string
  screenLink?: ScreenLinkElement
}

/**
 * The side menu (drawer) of small screens, a native dialog with its own focus trap and Escape handling. The
 * `command` attributes work without scripts; the click handlers are for browsers that lack them.
 */
export function SideMenu({ current, path, screenLink: ScreenLink = 'a' }: SideMenuProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const closeOnBackdropOrLink = ({ target }: MouseEvent) => {
    const isOnLink = target instanceof Element && target.closest('a') !== null
    if (isOnLink || target === dialog.current) dialog.current?.close()
  }
  const ariaCurrent = (link: string) => (link === current ? 'page' : undefined)

  return (
    <div className="lg:hidden">
      <button
        type="button"
        aria-label={LAYOUT.openMenu}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => {
          if (!supportsCommands(currentTarget)) dialog.current?.showModal()
        }}
        className="grid size-11 place-items-center rounded-sm border border-outline hover:border-ink"
        {...commandAttributes('show-modal')}
      >
        <Icon path="M3 7h18M3 12h18M3 17h12" />
      </button>
      <dialog
        ref={dialog}
        id={SIDE_MENU_ID}
        aria-label={LAYOUT.menu}
        closedby="any"
        onClick={closeOnBackdropOrLink}
        className="side-menu"
      >
        <div className="flex min-h-full flex-col gap-6 p-6">
          <div className="flex items-center justify-between">
            <p className="label">{LAYOUT.menu}</p>
            <button
              type="button"
              aria-label={LAYOUT.closeMenu}
              onClick={({ currentTarget }) => {
                if (!supportsCommands(currentTarget)) dialog.current?.close()
              }}
              className="grid size-11 place-items-center rounded-sm border border-outline hover:border-ink"
              {...commandAttributes('close')}
            >
              <Icon path="M5 5l14 14M19 5L5 19" />
            </button>
          </div>
          <nav aria-label={LAYOUT.menu}>
            <ul>
              {NAVIGATION.map((route) => (
                <li key={route.path} className="border-b border-hairline">
                  <a href={route.path} aria-current={ariaCurrent(route.path)} className="menu-link">
                    {route.name}
                  </a>
                </li>
              ))}
              <li className="border-b border-hairline">
                <ScreenLink
                  href={ROUTES.profile.path}
                  aria-current={ariaCurrent(ROUTES.profile.path)}
                  className="menu-link"
                >
                  {ROUTES.profile.name}
                </ScreenLink>
              </li>
            </ul>
          </nav>
          <LanguageSwitch path={path} />
          <ScreenLink
            href={ROUTES.airdrop.path}
            className={buttonStyle('primary', 'normal', 'mt-auto w-full')}
          >
            {ROUTES.airdrop.name}
          </ScreenLink>
        </div>
      </dialog>
    </div>
  )
}

const supportsCommands = (button: HTMLButtonElement) => 'commandForElement' in button

/** React's types lack these attributes. */
function commandAttributes(name: 'show-modal' | 'close'): Record<string, string> {
  return { command: name, commandfor: SIDE_MENU_ID }
}
