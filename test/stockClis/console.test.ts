/**
 * From an empty installation to the work of a stock CLI, in the browser alone: the first account, a machine, a run by prompt, its question,
 * its changes and a follow-up. Only the model is scripted, and the command that connects the machine is executed by the test.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openChromium } from '../kit/browser/chromium.ts'
import { type Visit, visit } from '../kit/browser/visit.ts'
import { type Machine, startMachine } from '../kit/program/machine.ts'
import { asWhom, startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { claude as cli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { type ModelReply, replyFromScript } from './model/turns.ts'

/** The CLI takes seconds to start. */
const withinMs = 90_000

let stage: TestProgram
let server: ModelServer
let browser: Browser
let person: Visit
let page: Page
let machine: Machine
let replies: ModelReply[] = []

before(async () => {
  stage = await startTestProgram({ account: 'none', env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
  server = await startModelServer(replyFromScript(() => replies.shift()))
  browser = await openChromium()
  person = await visit(browser, stage.url, { viewport: { width: 1440, height: 900 } })
  page = person.page
  page.setDefaultTimeout(withinMs)
})
after(async () => {
  await browser?.close()
  await stage?.end()
  await server?.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const transcript = (text: string) => page.locator('.transcript').getByText(text)

test('the first account is created, and a machine with the CLI is connected', async () => {
  await page.goto('/')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email address').fill('ada@example.com')
  await field('Password').fill('correct horse battery staple')
  await button('Create account').click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await button('Add machine').click()
  await button('Create command').click()
  const command = await page.getByRole('dialog').locator('.command').first().innerText()
  const [token = ''] = /enroll_[\w-]+/.exec(command) ?? []
  const { file, args, env } = cli.prepare(server.url, join(stage.folder, 'home'))
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const cliCommand = ['exec', 'env', ...settings, file, ...args].join(' ')
  const [session] = await page.context().cookies()
  const hers = { ...stage, ask: asWhom(stage.url, { authorization: `Bearer ${session?.value}` }) }
  machine = await startMachine(hers, {
    name: 'builder',
    branches: ['work'],
    token,
    clis: [`${cli.name}=acp:${cliCommand}`],
  })
  await page.getByText('builder is connected ✓').waitFor()
  await button('Close').click()
})

test('a run by prompt asks before it edits, is answered in place, and shows its changes', async () => {
  const file = join(machine.path('work'), 'a.txt')
  replies = [{ toolCalls: [cli.writeFile(file, 'zebra\n')] }, { text: ['I wrote the file.'] }]
  await page
    .getByRole('link', { name: /^New run/ })
    .first()
    .click()
  await field('What should the agent do?').fill('Write zebra into a.txt.')
  await page.getByRole('radio', { name: 'work builder' }).check()
  await page.getByText('More options').click()
  await page.getByRole('combobox', { name: 'Coding CLI' }).selectOption(cli.name)
  await button('Start run').click()
  await page.getByRole('heading', { name: 'The agent asks' }).waitFor()
  await page.locator('.question').getByText('a.txt').first().waitFor()
  await page.locator('.question').getByRole('button').first().click()
  await transcript('I wrote the file.').waitFor()
  await page.locator('.run-panel').getByText('Succeeded').first().waitFor()
  assert.equal(readFileSync(file, 'utf8'), 'zebra\n')
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.getByRole('region', { name: 'Changes to a.txt' }).getByText('zebra').waitFor()
  person.fine()
})

test('a follow-up continues the conversation', async () => {
  replies = [{ text: ['It is zebra.'] }]
  await page.getByRole('link', { name: 'Transcript', exact: true }).click()
  const before = page.url()
  await field('Follow-up').fill('Which word did you write?')
  await button('Send follow-up').click()
  await page.waitForURL((url) => url.pathname.startsWith('/runs/run_') && !before.includes(url.pathname))
  await transcript('It is zebra.').waitFor()
  await page.locator('.run-panel').getByText('Succeeded').first().waitFor()
  person.fine()
})
