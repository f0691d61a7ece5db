/**
 * The speed of the console on this machine:
 * - the first paint of each view, the bytes that are sent for it, and how soon the page reacts to keys while its list has 5,000
 *   agents that change
 * - the charts of the largest machines
 * - the heat map of 50,000 runs
 * - a log of ten million lines, scrolled and searched
 *
 * node test/longRuns/bench/console.ts [--agents 5000] [--changes 20] [--seconds 10] [--runs 50000] [--lines 10000000] [--slack 1]
 * Fails if
 * - the first paint takes a second, the scripts of a view have 120 kB, or its layout shifts by 0.05
 * - an interaction takes 100 ms, or the first chart of a page waits 300 ms for its layout
 * - a task takes 100 ms while the log is read, scrolled and searched
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openChromium } from '../../kit/browser/chromium.ts'
import { startLongLog } from '../../kit/browser/longLog.ts'
import { manyRuns } from '../../kit/browser/manyRuns.ts'
import { ada, rest } from '../../kit/program/accounts.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { startFleet } from './support/fleet.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '5000' },
    changes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '50000' },
    lines: { type: 'string', default: '10000000' },
    /** Multiplies the bounds of times, for a machine that is slower or has other work. */
    slack: { type: 'string', default: '1' },
  },
})
const agents = Number(values.agents)
const changes = Number(values.changes)
const seconds = Number(values.seconds)
const runs = Number(values.runs)
const lines = Number(values.lines)
const slack = Number(values.slack)
const mostPaintMs = 1_000 * slack
const mostAnswerMs = 100 * slack
const mostTaskMs = 100 * slack
const mostLayoutMs = 300 * slack
const mostScriptBytes = 120_000
/** The sum of the scores of layout shifts. Browsers rate a page with more than 0.1 as one that needs improvement. */
const mostShift = 0.05
/** The time after the heading in which the data of a view arrive. */
const settledMs = 1_500

/** Counts the shifts, and remembers the elements of the largest. */
const watchShifts = `globalThis.shifts = { sum: 0, largest: 0, elements: '' }
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    shifts.sum += value
    if (value <= shifts.largest) continue
    shifts.largest = value
    shifts.elements = sources.map(({ node }) => (node?.outerHTML ?? node?.parentElement?.outerHTML ?? '').slice(0, 80)).join(', ')
  }
}).observe({ type: 'layout-shift', buffered: true })`

interface Shifts {
  readonly sum: number
  readonly elements: string
}

const problems: string[] = []

async function newContext(browser: Browser, { url }: TestProgram, session: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: 'signalbox', value: session, url }])
  return context
}

/** Each view in a browser with an empty cache. */
async function paints(browser: Browser, stage: TestProgram, session: string): Promise<void> {
  const rows: Record<string, string | number>[] = []
  for (const [path, ready] of [
    ['/', 'Inbox'],
    ['/machines', 'Machines'],
    ['/runs', 'Runs'],
    ['/runs/new', 'New run'],
    ['/workflows', 'Workflows'],
    ['/repositories', 'Repositories'],
    ['/telemetry', 'Telemetry'],
    ['/tools', 'Tools'],
    ['/settings', 'Settings'],
    ['/stuck', 'Stuck'],
    ['/insights/states/agent', 'Agent'],
  ] as const) {
    const context = await newContext(browser, stage, session)
    const page = await context.newPage()
    let bytes = 0
    let scriptBytes = 0
    let requests = 0
    const scripts = new Set<string>()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    devtools.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId)
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength
      requests++
      if (scripts.has(requestId)) scriptBytes += encodedDataLength
    })
    await page.addInitScript(watchShifts)
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: ready, exact: true }).waitFor()
    const [first, whole] = (await page.evaluate(
      "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.now()]",
    )) as [number, number]
    const sent = { requests, 'kB sent': Math.round(bytes / 1_000), 'of scripts, kB': Math.round(scriptBytes / 1_000) }
    await sleep(settledMs)
    const shifts = (await page.evaluate('shifts')) as Shifts
    if (!(first < mostPaintMs)) problems.push(`${path} was first painted after ${Math.round(first)} ms`)
    if (!(scriptBytes < mostScriptBytes))
      problems.push(`${path} needed ${Math.round(scriptBytes / 1_000)} kB of scripts`)
    if (!(shifts.sum < mostShift))
      problems.push(`the layout of ${path} shifted by ${shifts.sum.toFixed(3)}, most by ${shifts.elements}`)
    rows.push({
      view: path,
      'first paint, ms': Math.round(first),
      'heading, ms': Math.round(whole),
      ...sent,
      'layout shift': Number(shifts.sum.toFixed(3)),
    })
    await context.close()
  }
  printTable(rows)
}

/** The first chart of a page in a browser with an empty cache. The server has not laid it out before. */
async function firstCharts(browser: Browser, stage: TestProgram, session: string): Promise<void> {
  const rows: Record<string, string | number>[] = []
  for (const kind of ['run', 'session', 'mcp-server', 'job']) {
    const context = await newContext(browser, stage, session)
    const page = await context.newPage()
    await page.goto(`/insights/states/${kind}`)
    await page.locator('.chart svg').waitFor()
    const [layout, ...more] = (await page.evaluate(
      "performance.getEntriesByType('measure').map(({ startTime, duration }) => ({ startTime, duration }))",
    )) as readonly { readonly startTime: number; readonly duration: number }[]
    if (layout === undefined || more.length > 0) throw new Error('the page did not request exactly one layout')
    const drawn = await page.evaluate<number>('performance.now()')
    if (!(layout.duration < mostLayoutMs))
      problems.push(`the page waited ${Math.round(layout.duration)} ms for the layout of ${kind}`)
    rows.push({
      'first chart of a page': kind,
      'wait for the layout, ms': Math.round(layout.duration),
      'drawn after the layout, ms': Math.round(drawn - layout.startTime - layout.duration),
      'drawn after the address was requested, ms': Math.round(drawn),
    })
    await context.close()
  }
  printTable(rows)
}

/** The longest time from a key to the next frame while the rows of the page change. */
async function answers(browser: Browser, stage: TestProgram, session: string): Promise<void> {
  const context = await newContext(browser, stage, session)
  const page = await context.newPage()
  const began = performance.now()
  await page.goto('/machines')
  await page.getByText(`${agents.toLocaleString('en')} machines`).waitFor({ timeout: 60_000 })
  const filled = Math.round(performance.now() - began)
  await watchTasks(page)
  const changing = changeAgents(stage, page)
  const filter = page.getByLabel('Name, host or tag')
  await filter.focus()
  const until = performance.now() + seconds * 1_000
  let keys = 0
  while (performance.now() < until) {
    // Each letter keeps all rows in the list and renders the list again.
    await page.keyboard.type('build')
    for (let back = 0; back < 5; back++) await page.keyboard.press('Backspace')
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 4_000)
    keys += 10
  }
  const made = await changing.stop()
  const { longestTask, longestAnswer } = await watched(page)
  if (!(longestAnswer < mostAnswerMs)) problems.push(`an interaction took ${Math.round(longestAnswer)} ms`)
  printTable([
    {
      'live rows': agents,
      'all shown, ms': filled,
      keys,
      'changes of rows': made,
      'longest answer, ms': Math.round(longestAnswer),
      'longest task, ms': Math.round(longestTask),
    },
  ])
  await context.close()
}

/** Events with the browser's own times, from the key to the frame that shows its effect. */
async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    globalThis.benched = { longestTask: 0, longestAnswer: 0 }
    const longest = (name) => (list) => {
      for (const { duration } of list.getEntries()) benched[name] = Math.max(benched[name], duration)
    }
    new PerformanceObserver(longest('longestTask')).observe({ type: 'longtask' })
    new PerformanceObserver(longest('longestAnswer')).observe({ type: 'event', durationThreshold: 16 })
  })()`)
}

interface Watched {
  /** Milliseconds; 0 if no task took 50. */
  readonly longestTask: number
  readonly longestAnswer: number
}

async function watched(page: Page): Promise<Watched> {
  return (await page.evaluate('globalThis.benched')) as Watched
}

function changeAgents(stage: TestProgram, page: Page) {
  let made = 0
  let going = true
  const done = (async () => {
    const { agents: all } = await stage.ask<{ agents: { id: string }[] }>('{ agents { id } }')
    const mutation =
      'mutation ($id: ID!, $drain: Boolean!) { drainAgent(input: { agentId: $id, drain: $drain }) { agent { id } } }'
    while (going && !page.isClosed()) {
      const one = all[made % all.length]
      await stage.ask(mutation, { id: one?.id, drain: Math.floor(made / all.length) % 2 === 0 })
      made++
      await sleep(1_000 / changes)
    }
  })()
  return {
    async stop(): Promise<number> {
      going = false
      await done
      return made
    },
  }
}

async function heat(browser: Browser, stage: TestProgram, session: string): Promise<void> {
  await manyRuns(stage, runs)
  const context = await newContext(browser, stage, session)
  const page = await context.newPage()
  const began = performance.now()
  await page.goto('/insights/states/run')
  await page.locator('.chart [data-heat] .figures').first().waitFor()
  const drawn = performance.now() - began
  const asked = performance.now()
  await stage.ask('{ machines(kind: RUN) { states { status count oldestAt p50At p99At } } }')
  const counted = performance.now()
  await stage.ask('{ machineThroughput(kind: RUN) { since ways { event from to count } } }')
  printTable([
    {
      'runs in the map': runs,
      'drawn, ms': Math.round(drawn),
      'counted by the server, ms': Math.round(counted - asked),
      'arrows, ms': Math.round(performance.now() - counted),
    },
  ])
  await context.close()
}

/** Begins with the first byte. The log is read, scrolled by wheel, key and bar, and searched, without a pause. */
async function longLog(browser: Browser, stage: TestProgram, session: string): Promise<void> {
  const log = await startLongLog(stage, 'main')
  const printing = performance.now()
  await log.print(lines)
  const printed = performance.now() - printing
  const context = await newContext(browser, stage, session)
  const page = await context.newPage()
  await page.goto(`/runs/${log.runId}`)
  await watchTasks(page)
  const reading = performance.now()
  await page.getByRole('heading', { name: `Log ${lines.toLocaleString('en')}` }).waitFor({ timeout: 600_000 })
  const read = performance.now() - reading
  const box = page.getByLabel('Lines of the log')
  await box.hover()
  for (let turn = 0; turn < 100; turn++) await page.mouse.wheel(0, turn % 10 === 0 ? 8_000 : -700)
  await box.focus()
  for (const key of ['Home', 'PageDown', 'PageDown', 'End', 'PageUp']) {
    await page.keyboard.press(key)
    await sleep(100)
  }
  for (let part = 0; part < 100; part++) {
    await page.evaluate(
      `{ const box = document.querySelector('.log .virtual'); box.scrollTop = box.scrollHeight * ${part / 100} }`,
    )
    await page
      .locator('.log-line .text')
      .filter({ hasText: /compiled|warning/ })
      .first()
      .waitFor()
  }
  const search = page.getByLabel('Search the log')
  const searches: Record<string, number> = {}
  for (const [words, found] of [
    ['not in there', 'No matches'],
    [`(${Math.floor(lines / 2)})`, '1 of 1'],
    ['unused', '1 of (more than )?[\\d,]+'],
  ] as const) {
    const from = performance.now()
    await search.pressSequentially(words)
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${found}$`) })
      .waitFor({ timeout: 120_000 })
    searches[`“${words}”, ms`] = Math.round(performance.now() - from)
    for (let steps = 0; steps < 20; steps++) await page.keyboard.press('Enter')
    await search.fill('')
  }
  const { longestTask, longestAnswer } = await watched(page)
  if (!(longestTask < mostTaskMs)) problems.push(`a task took ${Math.round(longestTask)} ms beside the log`)
  if (!(longestAnswer < mostAnswerMs))
    problems.push(`an interaction took ${Math.round(longestAnswer)} ms beside the log`)
  printTable([
    {
      lines,
      'printed, s': Math.round(printed / 1_000),
      'read by the page, s': Math.round(read / 1_000),
      ...searches,
      'longest answer, ms': Math.round(longestAnswer),
      'longest task, ms': Math.round(longestTask),
    },
  ])
  await context.close()
}

printMachine()
const env = { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '100000000', LIMIT_AGENT_REPORTS_PER_MINUTE: '1000000' }
const stage = await startTestProgram({ env })
const fleet = startFleet(stage.url, stage.ports.agent, stage.key)
const browser = await openChromium()
try {
  await fleet.grow(agents)
  const { body } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  await paints(browser, stage, String(body.token))
  await firstCharts(browser, stage, String(body.token))
  await answers(browser, stage, String(body.token))
  await heat(browser, stage, String(body.token))
  await longLog(browser, stage, String(body.token))
} finally {
  await browser.close()
  await fleet.stop()
  await stage.end()
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
