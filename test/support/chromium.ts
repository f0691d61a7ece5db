/** A real browser, for the tests and pictures of the pages: Debian's Chromium, or what `CHROMIUM_PATH` names. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function executable(): string {
  const named = process.env.CHROMIUM_PATH
  const found = [...(named === undefined || named === '' ? usual : [named])].find(existsSync)
  if (found !== undefined) return found
  throw new Error(
    named
      ? `CHROMIUM_PATH names ${named}, which is not there.`
      : 'The pages are tested in a real browser, and there is none here: `apt-get install chromium`, or set CHROMIUM_PATH to a Chromium or Chrome.',
  )
}

export async function openChromium(): Promise<Browser> {
  // Root may not use the browser's own sandbox; what is opened here are our own pages.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return await chromium.launch({ executablePath: executable(), args })
}
