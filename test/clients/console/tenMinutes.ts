/**
 * One person opens ten pages a minute for ten minutes, with the stuck list and a state map open in other tabs, on default limits.
 * Fails if the server refuses anything for being asked too much.
 *   npm run console:points [-- --minutes 10]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openChromium } from '../../kit/browser/chromium.ts'
import { noteRefusals, pointsLeft, preparePlaces } from '../../kit/browser/points.ts'
import { signedIn } from '../../kit/browser/visit.ts'
import { startTestProgram } from '../../kit/program/testProgram.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const perMinute = 10

const stage = await startTestProgram()
const browser = await openChromium()
stage.onEnd(() => browser.close())
const { page } = await signedIn(browser, stage)
const refused: string[] = []
try {
  const places = await preparePlaces(stage)
  for (const path of ['/stuck', '/insights/states/run']) {
    const other = await page.context().newPage()
    noteRefusals(other, refused)
    await other.goto(path)
  }
  noteRefusals(page, refused)
  let least = Number.POSITIVE_INFINITY
  const begun = Date.now()
  for (let n = 0; n < Number(values.minutes) * perMinute; n++) {
    const { path = '/', ready = 'h1' } = places[n % places.length] ?? {}
    await page.goto(path)
    await page.locator(ready).first().waitFor()
    await sleep(Math.max(0, begun + ((n + 1) * 60_000) / perMinute - Date.now()))
    if (n % perMinute !== perMinute - 1) continue
    const left = await pointsLeft(page.context(), stage)
    least = Math.min(least, left)
    process.stdout.write(`minute ${(n + 1) / perMinute}: ${left} points left, ${refused.length} refusals\n`)
  }
  process.stdout.write(`at least ${least} points were left\n`)
} finally {
  await stage.end()
}
if (refused.length > 0) {
  process.stderr.write(`${refused.join('\n')}\n`)
  process.exitCode = 1
}
