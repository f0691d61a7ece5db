/** Measures how many of a person's API points the pages of the console cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, type Page, request } from 'playwright-core'
import type { TestProgram } from '../program/testProgram.ts'
import { openPlace, type Place } from './places.ts'

/** Points that the person of a context has left. Asking costs one of them. */
export async function pointsLeft(context: BrowserContext, { url }: TestProgram): Promise<number> {
  const api = await request.newContext({ storageState: await context.storageState() })
  const answer = await api.post(`${url}/api/graphql`, { data: { query: '{ health }' }, headers: { origin: url } })
  await api.dispose()
  return Number(answer.headers()['ratelimit-remaining'])
}

/** Notes every answer that a page was refused for asking too much, over HTTP and over its socket. */
export function noteRefusals(page: Page, into: string[]): void {
  page.on('response', (answer) => {
    if (answer.status() === 429) into.push(`${page.url()}: ${answer.url()}`)
  })
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"RATE_LIMITED"')) into.push(`${page.url()}: ${payload}`)
    })
  })
}

/** A page requests its data within this time, ms. Later requests are the cost of a page that stays open. */
export const settledMs = 1_500

/** Returns the points that the person of a context spends while something is done. */
export async function pointsSpent(
  context: BrowserContext,
  stage: TestProgram,
  work: () => Promise<void>,
): Promise<number> {
  const before = await pointsLeft(context, stage)
  await work()
  return before - (await pointsLeft(context, stage)) - 1
}

/** Returns the points that each page costs when it is opened, by its name. */
export async function measureCosts(
  page: Page,
  stage: TestProgram,
  places: readonly Place[],
): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>()
  for (const place of places) {
    // The page before must not request anything meanwhile.
    await page.goto('about:blank')
    const cost = await pointsSpent(page.context(), stage, async () => {
      await openPlace(page, place)
      await sleep(settledMs)
    })
    costs.set(place.name, cost)
  }
  return costs
}
