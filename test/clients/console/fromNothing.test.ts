/**
 * By keyboard alone, from nothing: the first account is made, a key, a machine becomes an agent, a run is watched as it goes, its
 * question answered, and its end seen.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openChromium } from '../../kit/browser/chromium.ts'
import { press, tabTo } from '../../kit/browser/keys.ts'
import { soon } from '../../kit/browser/soon.ts'
import { type Visit, visit, whereIs } from '../../kit/browser/visit.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { startRun } from '../../kit/program/runs.ts'
import { asWhom, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let nobodys: TestProgram
let hers: TestProgram
let browser: Browser
let person: Visit
let page: Page
let machine: Machine

before(async () => {
  nobodys = await startTestProgram({ account: 'none', env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '200000' } })
  browser = await openChromium()
  person = await visit(browser, nobodys.url)
  page = person.page
})
after(async () => {
  await browser?.close()
  await nobodys?.end()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true })

test('the first account is created', async () => {
  await page.goto('/')
  await soon(() => assert.equal(whereIs(page), '/register'))
  await button('Create account').and(page.locator(':enabled')).waitFor()
  for (const [label, words] of [
    ['Name', 'Ada Lovelace'],
    ['Email address', 'ada@example.com'],
  ] as const) {
    await tabTo(page, page.getByLabel(label))
    await page.keyboard.type(words)
  }
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type('correct horse battery staple')
  await page.keyboard.press('Enter')
  await page.getByText('Signed in as Ada Lovelace').waitFor()
})

test('an API key for scripts is created, and authenticates its user', async () => {
  await press(page, link('Settings'))
  await press(page, link('API keys'))
  await soon(() => assert.equal(whereIs(page), '/settings/keys'))
  await press(page, button('New API key'))
  await tabTo(page, page.getByRole('dialog').getByLabel('Name'))
  await page.keyboard.type('scripts')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog').locator('.command').first()
  const key = await shown.innerText()
  await press(page, button('Done'))
  hers = { ...nobodys, key, ask: asWhom(nobodys.url, { 'X-API-Key': key }) }
  const { viewer } = await hers.ask<{ viewer: { name: string } }>('{ viewer { name } }')
  assert.equal(viewer.name, 'Ada Lovelace')
})

test('a machine becomes an agent', async () => {
  await press(page, link('Inbox'))
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await press(page, button('Add machine'))
  await press(page, button('Create command'))
  const command = await page.getByRole('dialog').locator('.command').first().innerText()
  const [token = ''] = /enroll_[\w-]+/.exec(command) ?? []
  machine = await startMachine(hers, { name: 'builder', branches: ['one'], token })
  await page.getByText('builder is connected ✓').waitFor()
  await press(page, button('Close'))
  for (const step of ['1 machine connected', '1 repository found', 'Coding CLI: coder, forgetful'])
    await page.getByText(step).waitFor()
  await press(page, link('Machines'))
  const row = page.getByRole('listitem').filter({ hasText: 'builder' })
  await row.getByText('connected').waitFor()
})

test('a run is watched live, its question is answered, and its end is shown', async () => {
  await press(page, link('Runs'))
  const prompt = 'plan\nsay Let me see.\npermission\nsay Thank you.'
  const { id } = await startRun(hers.ask, { worktreeId: machine.worktree('one'), title: 'Tidy up', prompt })
  await press(page, link('Tidy up'))
  await soon(() => assert.equal(whereIs(page), `/runs/${id}`))
  await page.locator('.transcript').getByText('Let me see.').waitFor()
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  // Its agent, its worktree, its session and its job are one click away.
  for (const name of ['builder', 'one', 'Open job'])
    await tabTo(page, page.locator('.facts').getByRole('link', { name, exact: true }))
  await press(page, page.locator('.question').getByRole('button').first())
  await page.locator('.transcript').getByText('Thank you.').waitFor()
  await page.locator('.run-status').getByText('succeeded').waitFor()
  person.fine()
})
