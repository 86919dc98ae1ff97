import type { LaunchOptions } from '@playwright/test'

/** Lets Chromium run in containers, and prevents the browser's own requests. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Resolves only the names of this machine, so that no test depends on another site. */
const LOOPBACK_ONLY =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE 0.0.0.0'

/**
 * Two internal pages for the address bar of every window. A headless browser never shows them, but renders
 * them in their own process. Opening a page took 1,200 ms of processor time with them, and takes 500 without.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Would start a spare renderer process for every page, which no test ever uses. */
const SPARE_PROCESS = ['SpareRendererForSitePerProcess']

/** Playwright 1.65 disables these features. Our list replaces Playwright's, so it has to include them. */
const AS_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** The features that Playwright 1.65 enables, and `NetworkServiceInProcess2`, which saves copying. */
const ENABLED = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies', 'NetworkServiceInProcess2']

export function launchOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: [
      ...QUIET,
      LOOPBACK_ONLY,
      `--disable-features=${[...AS_PLAYWRIGHT, ...ADDRESS_BAR, ...SPARE_PROCESS].join()}`,
      `--enable-features=${ENABLED.join()}`,
    ],
  }
}
