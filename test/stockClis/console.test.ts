/**
 * From an empty installation to a day's work with a stock CLI, in the browser alone: once with a mouse, once with a finger on a phone, and
 * once with a keyboard. Only the model is scripted, and the command that connects the machine is executed by the test.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openChromium } from '../kit/browser/chromium.ts'
import { wayNames, ways } from '../kit/browser/hands.ts'
import { type Visit, visit } from '../kit/browser/visit.ts'
import { atWork } from '../kit/browser/workday.ts'
import { type Machine, startMachine } from '../kit/program/machine.ts'
import { asWhom, startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { claude as cli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { type ModelReply, replyFromScript } from './model/turns.ts'

let server: ModelServer
let browser: Browser
let replies: ModelReply[] = []

before(async () => {
  server = await startModelServer(replyFromScript(() => replies.shift()))
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  await server?.close()
})

for (const way of wayNames)
  describe(`by ${way}`, () => {
    let stage: TestProgram
    let person: Visit
    let machine: Machine
    let work: ReturnType<typeof atWork>

    before(async () => {
      stage = await startTestProgram({ account: 'none', env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
      person = await visit(browser, stage.url, ways[way].context)
      const ask: TestProgram['ask'] = async (...query) => {
        const [session] = await person.page.context().cookies()
        return await asWhom(stage.url, { authorization: `Bearer ${session?.value}` })(...query)
      }
      stage = { ...stage, ask }
      work = atWork({ person, way, branch: 'work', ask })
    })
    after(async () => {
      await person?.end()
      await stage?.end()
    })

    test('the first account is created, and a machine with the CLI is connected', async () => {
      const { page } = person
      const { hand, field, button, dialog } = work
      await page.goto('/')
      await hand.write(page.getByLabel('Name'), 'Ada Lovelace')
      await hand.write(page.getByLabel('Email address'), 'ada@example.com')
      await hand.write(field('Password'), 'correct horse battery staple')
      await hand.activate(button('Create account'))
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      await hand.activate(button('Add machine'))
      await hand.activate(button('Create command'))
      const command = await dialog.locator('.command').first().innerText()
      const [token = ''] = /enroll_[\w-]+/.exec(command) ?? []
      const { file, args, env } = cli.prepare(server.url, join(stage.folder, 'home'))
      const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
      const cliCommand = ['exec', 'env', ...settings, file, ...args].join(' ')
      machine = await startMachine(stage, {
        name: 'builder',
        branches: ['work'],
        token,
        clis: [`${cli.name}=acp:${cliCommand}`],
        hasTestClis: false,
      })
      await page.getByText('builder is connected ✓').waitFor()
      await hand.activate(button('Close'))
    })

    test('a run with a prompt asks before it edits, is answered on its page, and shows its changes', async () => {
      const file = join(machine.path('work'), 'a.txt')
      replies = [{ toolCalls: [cli.writeFile(file, 'zebra\n')] }, { text: ['I wrote the file.'] }]
      await work.runWithQuestion('Write zebra into a.txt.', 'I wrote the file.')
      assert.equal(readFileSync(file, 'utf8'), 'zebra\n')
      await work.readChanges('a.txt', 'zebra')
    })

    test('a follow-up continues the conversation', async () => {
      replies = [{ text: ['It is zebra.'] }]
      await work.followUp('Which word did you write?', 'It is zebra.')
    })

    test('a plan is written, edited and executed', async () => {
      const presented = cli.presentPlan('1. Find the cause.').map((call) => ({ toolCalls: [call] }))
      replies = [...presented, { text: ['The plan is ready.'] }]
      await work.writePlan('Plan it.')
      await work.editPlan('1. Fix it.')
      replies = [{ text: ['I fixed it.'] }]
      await work.executePlan()
    })

    test('a workflow is built, scheduled, started and watched', () => work.workflow('Checks'))

    test('a run that waits for a paused queue starts when the queue is resumed', async () => {
      replies = [{ text: ['I am free.'] }]
      await work.freeWaitingRun(machine.worktree('work'), 'Are you free?')
    })
  })
