/** A visit to the pages with a real browser, which notes everything that a browser complains of. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { ada, rest } from '../program/accounts.ts'
import { longestMs } from './soon.ts'

export interface Visit {
  readonly page: Page
  /** Violations of the policy, errors of scripts, and what else the browser wrote on its console. */
  readonly complaints: string[]
  /** Asserts that there was nothing to complain of. */
  fine(): void
  end(): Promise<void>
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    ...options,
  })
  context.setDefaultTimeout(longestMs)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // A refusal is an answer, which the page puts into words.
    if (/^Failed to load resource/.test(message.text()) && message.location().url.includes('/api/auth/')) return
    complaints.push(`${message.type()}: ${message.text()}`)
  })
  await page.exposeFunction('policyViolated', (what: string) => complaints.push(`policy: ${what}`))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => policyViolated(e.violatedDirective + ' ' + e.blockedURI))",
  )
  return {
    page,
    complaints,
    fine: () => assert.deepEqual(complaints, []),
    end: () => context.close(),
  }
}

/** A visit of the first account, signed in. */
export async function signedIn(
  browser: Browser,
  { url }: { readonly url: string },
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const guest = await visit(browser, url, options)
  const { body } = await rest(url, 'POST', '/api/auth/sign-in/email', { body: ada })
  await guest.page.context().addCookies([{ name: 'signalbox', value: String(body.token), url }])
  return guest
}

/** The aspect of the signal beside the form. */
export async function signalOf(page: Page): Promise<string | null> {
  return await page.locator('body').getAttribute('data-signal')
}

/** The path and what follows it. */
export function whereIs(page: Page): string {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}
