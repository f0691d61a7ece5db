/**
 * `npm run screenshots` takes the pictures that the documents show, with a real browser. With `-- --all FOLDER` it takes every view
 * of the console instead, in light and dark, 360, 1280 and 2560 pixels wide.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openSite } from '../../clients/console/site.ts'
import { startWorld } from '../../test/gateway/support/world.ts'
import { openChromium } from '../../test/support/chromium.ts'
import { openScene, type Scene } from './scene.ts'

interface Picture {
  readonly path: string
  readonly colorScheme: 'light' | 'dark'
}

const gates: Readonly<Record<string, Picture>> = {
  register: { path: '/en/register', colorScheme: 'light' },
  // On an empty database the page for signing in is shown only to say what went wrong.
  'sign-in': { path: '/en/sign-in?error=access_denied', colorScheme: 'dark' },
}

const here = (name: string): string => fileURLToPath(new URL(`${name}.png`, import.meta.url))

async function takeGates(browser: Browser): Promise<void> {
  const world = await startWorld({ options: { site: await openSite() } })
  for (const [name, { path, colorScheme }] of Object.entries(gates)) {
    const page = await browser.newPage({ baseURL: world.url, colorScheme, viewport: { width: 1280, height: 800 } })
    await page.goto(path)
    await page.locator('button:enabled').first().waitFor()
    await page.screenshot({ path: here(name) })
    await page.close()
  }
  await world.stop()
}

interface Shot {
  readonly view: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly fullPage?: boolean
}

async function takeView(browser: Browser, { url, session, views }: Scene, shot: Shot, path: string): Promise<void> {
  const { view, colorScheme, width, fullPage = false } = shot
  const height = width < 500 ? 780 : Math.round(width * 0.625)
  const context = await browser.newContext({ baseURL: url, colorScheme, viewport: { width, height } })
  await context.addCookies([{ name: 'signalbox', value: session, url }])
  const page = await context.newPage()
  await page.goto(views[view] ?? '/')
  await settled(page)
  await page.screenshot({ path, fullPage })
  await context.close()
}

async function settled(page: Page): Promise<void> {
  await page.locator('.line', { hasText: 'Live' }).waitFor({ state: 'attached' })
  await page.locator('h1').first().waitFor()
  while ((await page.locator('.loading').count()) > 0) await page.waitForTimeout(50)
  await page.waitForLoadState('networkidle').catch(() => {})
}

async function takeAll(browser: Browser, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const scene = await openScene()
  for (const view of Object.keys(scene.views))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1280, 2560]) {
        const path = join(folder, `${view}-${colorScheme}-${width}.png`)
        await takeView(browser, scene, { view, colorScheme, width, fullPage: true }, path)
        process.stdout.write(`${path}\n`)
      }
  await scene.end()
}

async function takeConsole(browser: Browser): Promise<void> {
  const scene = await openScene()
  await takeView(browser, scene, { view: 'actor', colorScheme: 'light', width: 1600 }, here('console-run'))
  await takeView(browser, scene, { view: 'stuck', colorScheme: 'dark', width: 1280 }, here('console-stuck'))
  await scene.end()
}

const { values } = parseArgs({ options: { all: { type: 'string' } } })
const browser = await openChromium()
try {
  if (values.all !== undefined) await takeAll(browser, values.all)
  else {
    await takeGates(browser)
    await takeConsole(browser)
  }
} finally {
  await browser.close()
}
