/**
 * A whole day in the console, once with a mouse, once with a finger on a phone, and once with a keyboard alone: a run by prompt with a
 * question, its changes, a follow-up, a plan, a workflow with a schedule, and a run that waits for a paused queue.
 * `test/stockClis/console.test.ts` does it with a stock CLI, from an empty installation.
 */
import { describe, test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { wayNames, ways } from '../../kit/browser/hands.ts'
import { signedIn } from '../../kit/browser/visit.ts'
import { atWork } from '../../kit/browser/workday.ts'
import { startMachine } from '../../kit/program/machine.ts'

const { stage, browser } = await atConsole()
const machine = await startMachine(stage, { name: 'builder', branches: wayNames })

for (const way of wayNames)
  describe(`by ${way}`, async () => {
    const person = await signedIn(browser, stage, ways[way].context)
    stage.onEnd(() => person.end())
    const work = atWork({ person, way, branch: way, ask: stage.ask })

    test('a run is started by a prompt, and its question is answered in place', async () => {
      await person.page.goto('/')
      await work.runWithQuestion(`permission edit\nwrite ${way}.txt\nsay Finished.`, 'Finished.')
    })

    test('the changes of a run are read, and a follow-up continues the run', async () => {
      await work.readChanges(`${way}.txt`, 'written')
      await work.followUp('say The second turn.', 'The second turn.')
    })

    test('a plan is written, edited and executed', async () => {
      await work.writePlan('say 1. Find the cause.')
      await work.editPlan('say 2. Fix it.')
      await work.executePlan()
    })

    test('a workflow is built, scheduled, started and watched', () => work.workflow(`Check by ${way}`))

    test('a run that waits for a paused queue is freed', () => work.freeWaitingRun(machine.worktree(way), 'say Freed.'))
  })
