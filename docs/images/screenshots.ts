/**
 * `npm run screenshots` takes the pictures that the documents show, with a real browser. With `-- --all FOLDER` it takes every page
 * instead, in light and dark, 390, 1440 and 2560 pixels wide: those of a busy installation, and then each path of the console.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openSite } from '../../clients/console/site.ts'
import { openChromium } from '../../test/kit/browser/chromium.ts'
import { openPlace, type Place, preparePlaces } from '../../test/kit/browser/places.ts'
import { signedIn } from '../../test/kit/browser/visit.ts'
import { startTestProgram, type TestProgram } from '../../test/kit/program/testProgram.ts'
import { startTestGateway } from '../../test/kit/runtime/testGateway.ts'
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
  const world = await startTestGateway({ options: { site: await openSite() } })
  for (const [name, { path, colorScheme }] of Object.entries(gates))
    await takeGate(browser, world.url, path, { colorScheme, width: 1280 }, here(name))
  await world.stop()
}

async function takeGate(
  browser: Browser,
  baseURL: string,
  address: string,
  { colorScheme, width }: Pick<Shot, 'colorScheme' | 'width'>,
  path: string,
): Promise<void> {
  const page = await browser.newPage({ baseURL, colorScheme, viewport: { width, height: heightFor(width) } })
  await page.goto(address)
  await page.locator('button:enabled').first().waitFor()
  await page.screenshot({ path })
  await page.close()
}

function heightFor(width: number): number {
  return width < 500 ? 780 : Math.round(width * 0.625)
}

interface Shot {
  readonly view: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly fullPage?: boolean
}

async function takeView(browser: Browser, { url, session, views }: Scene, shot: Shot, path: string): Promise<void> {
  const { view, colorScheme, width, fullPage = false } = shot
  const viewport = { width, height: heightFor(width) }
  const context = await browser.newContext({ baseURL: url, colorScheme, viewport })
  await context.addCookies([{ name: 'signalbox', value: session, url }])
  const page = await context.newPage()
  await page.goto(views[view] ?? '/')
  await settled(page)
  await page.screenshot({ path, fullPage })
  await context.close()
}

async function settled(page: Page): Promise<void> {
  await page.locator('.connection-status', { hasText: 'Live' }).waitFor({ state: 'attached' })
  await page.locator('h1').first().waitFor()
  while ((await page.locator('.loading').count()) > 0) await page.waitForTimeout(50)
  await page.waitForLoadState('networkidle').catch(() => {})
}

async function takeAll(browser: Browser, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const world = await startTestGateway({ options: { site: await openSite() } })
  const scene = await openScene()
  const stage = await startTestProgram({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '1000000' } })
  const places = await preparePlaces(stage)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440, 2560]) {
      const pathOf = (name: string) => join(folder, `${name}-${colorScheme}-${width}.png`)
      for (const [name, { path }] of Object.entries(gates))
        await takeGate(browser, world.url, path, { colorScheme, width }, pathOf(name))
      for (const view of Object.keys(scene.views))
        await takeView(browser, scene, { view, colorScheme, width, fullPage: true }, pathOf(view))
      for (const place of places)
        await takePlace(browser, stage, place, { colorScheme, width }, pathOf(`page${place.name.replace(/\W+/g, '-')}`))
      process.stdout.write(`${colorScheme}, ${width} pixels wide\n`)
    }
  await stage.end()
  await scene.end()
  await world.stop()
}

async function takePlace(
  browser: Browser,
  stage: TestProgram,
  place: Place,
  { colorScheme, width }: Pick<Shot, 'colorScheme' | 'width'>,
  path: string,
): Promise<void> {
  const { page, end } = await signedIn(browser, stage, { colorScheme, viewport: { width, height: heightFor(width) } })
  await openPlace(page, place)
  await page.screenshot({ path, fullPage: true })
  await end()
}

async function takeConsole(browser: Browser): Promise<void> {
  const scene = await openScene()
  await takeView(browser, scene, { view: 'asks', colorScheme: 'light', width: 1440 }, here('console-run'))
  await takeView(browser, scene, { view: 'runs', colorScheme: 'light', width: 1440 }, here('console-runs'))
  await takeView(browser, scene, { view: 'chart', colorScheme: 'dark', width: 1440 }, here('console-chart'))
  await takeView(browser, scene, { view: 'stuck', colorScheme: 'dark', width: 1280 }, here('console-stuck'))
  await takeView(browser, scene, { view: 'kind', colorScheme: 'dark', width: 1280 }, here('console-kind'))
  await takeView(browser, scene, { view: 'tools', colorScheme: 'light', width: 1280 }, here('console-tools'))
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
