import type { LaunchOptions } from '@playwright/test'

/** Lets Chromium run in containers, without any traffic of its own. */
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
 * Two internal pages for the address bar of every window, rendered in their own process. A headless browser
 * never shows them, yet they took over half of the processor time of opening a page (1,200 ms; 500 without
 * them).
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** A spare renderer process, which is started for every page and never used. */
const SPARE_PROCESS = ['SpareRendererForSitePerProcess']

/** The features that Playwright 1.65 disables in Chromium; repeated here because the last such list wins. */
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

/** What Playwright 1.65 enables, and the network service in the browser's process, which saves copying. */
const ENABLED = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies', 'NetworkServiceInProcess2']

/** The launch options for tests, screenshots and benchmarks. */
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
