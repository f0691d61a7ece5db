/**
 * A real browser, for the tests and pictures of the pages. `CHROMIUM_PATH` names it. Otherwise it is one that is installed on the
 * system, or the one that `npm test` downloaded (`run/browser.ts`).
 */
import { existsSync, globSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The folder of Playwright's downloads. Git ignores it. */
export const cacheFolder = resolve(import.meta.dirname, '../../.cache/browsers')

/** Names of the program in the folders of PATH. The shell without a window comes first: it takes a third less of the processor. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const applications = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export interface ChromiumPlaces {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Full paths. */
  readonly applications?: readonly string[]
  readonly cache?: string
}

/** Returns `undefined` if there is none. Throws if CHROMIUM_PATH names a file that does not exist. */
export function findChromium({
  env = process.env,
  applications: paths = applications,
  cache = cacheFolder,
}: ChromiumPlaces = {}): string | undefined {
  const named = env.CHROMIUM_PATH
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist. Correct it or unset it.`)
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...paths].find((path) => existsSync(path)) ?? downloaded(cache)
}

/** The newest complete download. Playwright writes the marker last. */
function downloaded(cache: string): string | undefined {
  const revision = (path: string): number => Number(/-(\d+)\//.exec(path)?.[1] ?? 0)
  const found = globSync('chromium_headless_shell-*/*/{chrome-headless-shell,headless_shell}', { cwd: cache })
    .filter((path) => existsSync(join(cache, path.split('/')[0] ?? '', 'INSTALLATION_COMPLETE')))
    .sort((a, b) => revision(b) - revision(a))
  return found[0] === undefined ? undefined : join(cache, found[0])
}

export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error(
      'The pages are tested in a real browser, and this machine has none. Run `npm test`, which downloads one, or `apt-get install chromium`, or set CHROMIUM_PATH to a Chromium or Chrome.',
    )
  // Root cannot use the browser's own sandbox. Only our own pages are opened.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args })
  const factor = Number(process.env.BROWSER_SLOWDOWN ?? 1)
  if (factor > 1) browser.on('context', (context) => context.on('page', (page) => void slowDown(page, factor)))
  return browser
}

/**
 * `BROWSER_SLOWDOWN=6` makes the pages six times slower. A test that reads a page before it has
 * what it waits for then fails here and not on a busy machine.
 */
async function slowDown(page: Page, factor: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: factor })
}
