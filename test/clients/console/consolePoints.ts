/**
 * The points that the console costs a person, on default limits: a table with the cost of every page, and then ten pages a minute in one
 * tab while other tabs stay open. Fails if the server refuses a request because of its limits.
 *   npm run console:points [-- --minutes 60 --tabs 10]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openChromium } from '../../kit/browser/chromium.ts'
import { openPlace, preparePlaces } from '../../kit/browser/places.ts'
import { measureCosts, noteRefusals, pointsLeft } from '../../kit/browser/points.ts'
import { signedIn } from '../../kit/browser/visit.ts'
import { startTestProgram } from '../../kit/program/testProgram.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    /** Including the one that opens pages. */
    tabs: { type: 'string', default: '10' },
  },
})
const perMinute = 10
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The pages that change by themselves, the ones that poll first. */
const openPages = [
  '/insights/states/run',
  '/stuck',
  '/tools/audit',
  '/insights',
  '/runs',
  '/machines',
  '/',
  '/insights/states',
  '/settings/server',
]

const stage = await startTestProgram()
const browser = await openChromium()
stage.onEnd(() => browser.close())
const { page } = await signedIn(browser, stage)
const refused: string[] = []
noteRefusals(page, refused)
try {
  const places = await preparePlaces(stage)
  const costs = await measureCosts(page, stage, places)
  say('| page | points |\n|---|---|')
  for (const [name, cost] of costs) say(`| \`${name}\` | ${cost} |`)
  for (let tab = 1; tab < Number(values.tabs); tab++) {
    const other = await page.context().newPage()
    noteRefusals(other, refused)
    await other.goto(openPages[(tab - 1) % openPages.length] ?? '/')
  }
  let least = Number.POSITIVE_INFINITY
  const begun = Date.now()
  for (let n = 0; n < Number(values.minutes) * perMinute; n++) {
    const place = places[n % places.length]
    if (place) await openPlace(page, place)
    await sleep(Math.max(0, begun + ((n + 1) * 60_000) / perMinute - Date.now()))
    if (n % perMinute !== perMinute - 1) continue
    const left = await pointsLeft(page.context(), stage)
    least = Math.min(least, left)
    say(`minute ${(n + 1) / perMinute}: ${left} points left, ${refused.length} refusals`)
  }
  if (Number.isFinite(least)) say(`at least ${least} points were left`)
} finally {
  await stage.end()
}
if (refused.length > 0) {
  process.stderr.write(`${refused.join('\n')}\n`)
  process.exitCode = 1
}
