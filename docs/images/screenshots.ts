/** `npm run screenshots` takes the pictures of the pages that the documents show, with a real browser. */
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { openSite } from '../../clients/console/site.ts'
import { startWorld } from '../../test/gateway/support/world.ts'
import { openChromium } from '../../test/support/chromium.ts'

interface Picture {
  readonly path: string
  readonly colorScheme: 'light' | 'dark'
}

const pictures: Readonly<Record<string, Picture>> = {
  register: { path: '/en/register', colorScheme: 'light' },
  // On an empty database the page for signing in is shown only to say what went wrong.
  'sign-in': { path: '/en/sign-in?error=access_denied', colorScheme: 'dark' },
}

async function take(browser: Browser, url: string, [name, { path, colorScheme }]: [string, Picture]): Promise<void> {
  const page = await browser.newPage({ baseURL: url, colorScheme, viewport: { width: 1280, height: 800 } })
  await page.goto(path)
  await page.locator('button:enabled').first().waitFor()
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) })
  await page.close()
}

const world = await startWorld({ options: { site: await openSite() } })
const browser = await openChromium()
try {
  for (const picture of Object.entries(pictures)) await take(browser, world.url, picture)
} finally {
  await browser.close()
  await world.stop()
}
