/** What axe and the width of the screen find fault with. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function faults(page: Page): Promise<readonly string[]> {
  // Injected by the debugger, so that the page's own policy stays as it is.
  await page.evaluate(axe)
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))",
  )
  return found as readonly string[]
}

/** Pixels by which the page is wider than the screen. */
export const scroll = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')
