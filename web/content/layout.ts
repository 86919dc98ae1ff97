/** The words of header, side menu and footer. */
export const LAYOUT = {
  skip: 'Skip to content',
  mainNavigation: 'Main',
  menu: 'Menu',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  pages: 'Pages',
  elsewhere: 'Elsewhere',
  twitter: 'Twitter',
  telegram: 'Telegram',
  website: 'Website',
  liveChart: 'Live Chart',
  placeholderCampaign: 'This is a demonstration: the token is made up and its contract is a placeholder.',
  builtOn: (chain: string, id: number) => `${chain} · chain ${id}`,
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  needsScript: 'This part of the site needs JavaScript. The pages in the menu work without it.',
}
