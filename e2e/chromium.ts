import type { LaunchOptions } from '@playwright/test'

/** Chromium speaks to nobody but the product, and starts in a container as well. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Two pages of Chromium's own, drawn by a process of their own, for the address bar of every window: nobody
 * sees one without a window, yet they took half of what a test took (1,200 ms of processor time for opening
 * a page, 500 without them).
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** A process that waits for a page to come: for every page that comes there is another, which nobody uses. */
const SPARE_PROCESS = ['SpareRendererForSitePerProcess']

/** What Playwright 1.65 switches off by itself, as far as it concerns Chromium: of two such lists the last counts. */
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

/** What Playwright 1.65 switches on, and the network in the browser's own process: what pages load is not handed on. */
const ON = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies', 'NetworkServiceInProcess2']

/** How the Chromium at this path is started, wherever one is: tests, screenshots and benchmarks. */
export function launchOptions(executablePath: string): LaunchOptions {
  return {
    executablePath,
    args: [
      ...QUIET,
      `--disable-features=${[...AS_PLAYWRIGHT, ...ADDRESS_BAR, ...SPARE_PROCESS].join()}`,
      `--enable-features=${ON.join()}`,
    ],
  }
}
