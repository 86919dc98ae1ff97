import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/support/chromium.ts'

/** Browser tests run against the whole product, started as an operator would (e2e/support/product.ts). */
export default defineConfig({
  // Generous, for busy machines.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  testDir: 'e2e',
  outputDir: 'test-results',
  // For two cores: with only two workers, the cores were idle for a tenth of the time.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: launchOptions(process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'),
    // Animations take a tenth of a page’s processor time. Tests of motion and whole journeys turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    screenshot: 'only-on-failure',
    // A trace slows every test by an eighth. Set TRACE=1 to debug a failure.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
  },
})
