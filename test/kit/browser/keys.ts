/** A person who has a keyboard and nothing else. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More stops than any view has before what is looked for. */
const mostTabs = 300

/** Goes on with Tab until it has the focus: what can't be reached so is a fault of the page. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${wanted} is not reached by ${mostTabs} tabs`)
}

/** Goes there and presses Enter. */
export async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}
