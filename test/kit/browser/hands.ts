/** The three ways in which a person uses the console: a mouse, a finger on a phone, and a keyboard alone. */
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { press, tabTo } from './keys.ts'

export interface Hand {
  /** Activates a button or a link. */
  activate(control: Locator): Promise<void>
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>
  /** Selects an option by its label. */
  select(field: Locator, label: string): Promise<void>
  /** Selects a radio button. */
  check(radio: Locator): Promise<void>
}

interface Way {
  /** The screen. */
  readonly context: BrowserContextOptions
  hand(page: Page): Hand
}

/** More options than any group of radio buttons has. */
const mostOptions = 20

export const wayNames = ['mouse', 'touch', 'keyboard'] as const

export const ways: Readonly<Record<(typeof wayNames)[number], Way>> = {
  mouse: {
    context: { viewport: { width: 1440, height: 900 } },
    hand: () => ({
      activate: (control) => control.click(),
      write: (field, text) => field.fill(text),
      select: async (field, label) => void (await field.selectOption(label)),
      check: (radio) => radio.check(),
    }),
  },
  touch: {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    hand: (page) => ({
      activate: (control) => control.tap(),
      write: async (field, text) => {
        await field.tap()
        await field.fill('')
        await page.keyboard.insertText(text)
      },
      // The system draws the list of a select, outside the page.
      select: async (field, label) => void (await field.selectOption(label)),
      check: (radio) => radio.tap(),
    }),
  },
  keyboard: {
    context: { viewport: { width: 1440, height: 900 } },
    hand: (page) => ({
      activate: (control) => press(page, control),
      write: async (field, text) => {
        await tabTo(page, field)
        await page.keyboard.press('Control+A')
        await page.keyboard.insertText(text)
      },
      select: async (field, label) => {
        await tabTo(page, field)
        await page.keyboard.type(label)
        assert.equal(await field.locator('option:checked').textContent(), label)
      },
      check: async (radio) => {
        await radio.waitFor()
        await tabToGroup(page, (await radio.getAttribute('name')) ?? '')
        await page.keyboard.press('Space')
        for (let option = 0; option < mostOptions && !(await radio.isChecked()); option++)
          await page.keyboard.press('ArrowDown')
        assert.ok(await radio.isChecked(), `${radio} is not reached by the arrow keys`)
      },
    }),
  },
}

/** Tab reaches only one radio button of a group. */
async function tabToGroup(page: Page, name: string): Promise<void> {
  await page.locator(`input[type="radio"][name="${name}"]`).first().waitFor()
  for (let tabs = 0; tabs < 300; tabs++) {
    if (await page.evaluate(`document.activeElement?.name === ${JSON.stringify(name)}`)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`no radio button of “${name}” is reached by Tab`)
}
