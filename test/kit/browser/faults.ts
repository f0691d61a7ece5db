/** The faults of a page: those that axe finds, and content that is wider than the screen. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** All rules, or those that are about colors. */
const rules = { all: {}, colours: { runOnly: { type: 'tag', values: ['cat.color'] } } }

export async function faults(page: Page, which: keyof typeof rules = 'all'): Promise<readonly string[]> {
  // Injected by the debugger, so that the page's own policy stays as it is.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe)
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules[which] })
  const found = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  )
  return found as readonly string[]
}

/** Pixels by which the page, or a dialogue on it, is wider than its room. */
export const scroll = (page: Page) =>
  page.evaluate(`Math.max(
    document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('dialog[open]')].map((dialog) => dialog.scrollWidth - dialog.clientWidth),
  )`)

const laptop = { width: 1280, height: 800 }
const phone = { width: 360, height: 640 }
const large = { width: 2560, height: 1440 }
const wall = { width: 3840, height: 2160 }

/** Asserts that what is shown is without fault, on a phone, a laptop and a large screen, in light and in dark. */
export async function assertFaultless(page: Page, what = 'the page'): Promise<void> {
  for (const size of [phone, laptop, large]) {
    await page.setViewportSize(size)
    const where = `${what}, ${size.width} px wide`
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    assert.deepEqual([await faults(page), await scroll(page)], [[], 0], where)
    // Nothing else is another in the dark.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    assert.deepEqual(await faults(page, 'colours'), [], `${where}, in the dark`)
  }
  await page.setViewportSize(wall)
  assert.equal(await scroll(page), 0, `${what}, ${wall.width} px wide`)
  await page.setViewportSize(laptop)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}
