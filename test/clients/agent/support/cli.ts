import { fileURLToPath } from 'node:url'
import type { FakeJob } from './fakeJob.ts'
import type { World } from './world.ts'

const testCli = `${process.execPath} --no-warnings ${fileURLToPath(new URL('./testCli.ts', import.meta.url))}`

/** Arguments that give the agent the test CLI, in a form that can take up conversations and in one that can't. */
export const clis = ['--cli', `test=acp:${testCli}`, '--cli', `forgetful=acp:${testCli} --no-load`]

/** Offers an AI run; the words that the test CLI knows stand in `testCli.ts`. */
export function ask(world: World, prompt: string, more: Record<string, unknown> = {}): FakeJob {
  return world.plane.offer('AI', { worktreePath: world.repo, prompt, mode: 'SESSION', timeoutSeconds: 60, ...more })
}
