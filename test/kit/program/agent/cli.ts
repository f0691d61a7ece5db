import { fileURLToPath } from 'node:url'
import type { AgentHost } from './agentHost.ts'
import type { FakeJob } from './fakeJob.ts'

/** Starts the test CLI over ACP. */
export const testCliCommand = `${process.execPath} --no-warnings ${fileURLToPath(new URL('./testCli.ts', import.meta.url))}`

/**
 * Arguments that give the agent the test CLI: one that can load conversations, one that resumes them, one that can do neither, and one
 * that takes no MCP servers.
 */
export const clis = [
  'test=acp:',
  'resuming=acp: --resume',
  'forgetful=acp: --no-load',
  'toolless=acp: --no-http',
].flatMap((cli) => ['--cli', cli.replace(':', `:${testCliCommand}`)])

/** Offers an AI run. `testCli.ts` lists the words that the prompt may contain. */
export function ask(world: AgentHost, prompt: string, more: Record<string, unknown> = {}): FakeJob {
  return world.plane.offer('AI', { worktreePath: world.repo, prompt, mode: 'SESSION', timeoutSeconds: 60, ...more })
}
