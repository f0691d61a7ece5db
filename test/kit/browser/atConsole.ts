/** The program and a signed-in person in Chromium, until the tests of a file have ended. */
import { after } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startTestProgram, type TestProgram } from '../program/testProgram.ts'
import { openChromium } from './chromium.ts'
import { signedIn, type Visit } from './visit.ts'

interface AtConsole {
  readonly stage: TestProgram
  readonly browser: Browser
  readonly person: Visit
  readonly page: Page
}

export async function atConsole(env: Readonly<Record<string, string>> = {}): Promise<AtConsole> {
  const stage = await startTestProgram({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '200000', ...env } })
  after(() => stage.end())
  const browser = await openChromium()
  stage.onEnd(() => browser.close())
  const person = await signedIn(browser, stage)
  return { stage, browser, person, page: person.page }
}
