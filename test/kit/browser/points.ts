/** Measures how many of a person's API points the pages of the console cost. */
import { type BrowserContext, type Page, request } from 'playwright-core'
import { reportWorktree, startBareAgent } from '../program/bareAgent.ts'
import { startRun, untilOffered } from '../program/runs.ts'
import type { TestProgram } from '../program/testProgram.ts'

export interface Place {
  readonly path: string
  /** An element that exists when the page has loaded all its data. */
  readonly ready: string
}

/** Runs that wait and runs that have ended, on a machine with some worktrees. @returns the pages that a person opens one after the other */
export async function preparePlaces(stage: TestProgram): Promise<readonly Place[]> {
  const agent = await startBareAgent(stage, 'bare')
  const branches = ['main', 'second', 'third', 'fourth']
  const worktrees = await reportWorktree(stage, agent, '/srv/bare', branches)
  const ids: string[] = []
  for (const branch of branches) {
    const { id } = await startRun(stage.ask, { worktreeId: worktrees[branch], title: `on ${branch}`, command: 'true' })
    await untilOffered(stage.ask, id)
    ids.push(id)
  }
  const chart = '.chart svg'
  return [
    ...ids.map((id) => ({ path: `/runs/${id}`, ready: '.run-panel .facts' })),
    { path: '/', ready: 'h1' },
    { path: '/machines', ready: '.agent-row' },
    { path: '/repositories', ready: '.codebase-row' },
    { path: '/runs', ready: '.run-row' },
    { path: '/sessions', ready: '.object-table' },
    { path: '/plans', ready: '.empty' },
    { path: '/workflows', ready: '.empty' },
    { path: '/schedules', ready: '.empty' },
    { path: `/worktrees/${worktrees.main}`, ready: 'h1' },
    { path: `/actors/${ids[0]}`, ready: chart },
    { path: '/stuck', ready: '.empty, .cards li' },
    { path: '/insights', ready: '.time-chart svg, .empty' },
    { path: '/insights/states', ready: '.kinds li' },
    { path: '/insights/states/run', ready: chart },
    { path: '/tools', ready: 'h1' },
  ]
}

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
