/** The part of the load that starts, cancels and repeats builds: of commits, and of the files of a worktree, which wait for a slot. */
import { git } from '../../../kit/program/machine.ts'
import { createConfiguration } from '../../../kit/program/objects/builds.ts'
import type { Ask } from '../../../kit/program/testProgram.ts'
import { until } from '../../../kit/program/until.ts'
import type { Random } from '../random.ts'
import type { Asked } from './seen.ts'

/** The address of the repositories of all agents. Nothing is fetched from it. */
const remote = 'https://git.example.com/acme/orders.git'

export async function addRemote(path: string): Promise<void> {
  await git(path, 'remote', 'add', 'origin', remote)
}

/** Creates build configurations, whose steps execute these commands. Returns their IDs. */
export async function createConfigurations(ask: Ask, commands: readonly string[]): Promise<readonly string[]> {
  const repositoryId = await until('the repository', async () => {
    const { repositories } = await ask<{ repositories: { nodes: readonly { readonly id: string }[] } }>(
      '{ repositories(first: 1) { nodes { id } } }',
    )
    return repositories.nodes[0]?.id
  })
  const ids: string[] = []
  for (const [index, command] of commands.entries()) {
    const steps = [{ name: 'build', command }]
    ids.push(await createConfiguration(ask, { repositoryId, name: `build ${index}`, steps, timeoutSeconds: 60 }))
  }
  return ids
}

export interface BuildsOptions {
  readonly ask: (
    operation: 'startBuild' | 'rebuild' | 'cancelBuild',
    input: Readonly<Record<string, unknown>>,
    keyed?: boolean,
  ) => Promise<Asked>
  readonly random: Random
  readonly worktreeIds: readonly string[]
  readonly configurationIds: readonly string[]
}

export class Builds {
  readonly #options: BuildsOptions
  readonly #ids: string[] = []

  constructor(options: BuildsOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { ask, random, worktreeIds, configurationIds } = this.#options
    const conditions = {
      source: 'WORKTREE',
      exclusiveWorktree: random.next() < 0.2,
      worktreeConcurrencyLimit: random.pick([0, 1, 1, 2]),
    }
    this.#keep(
      await ask('startBuild', {
        buildConfigurationId: random.pick(configurationIds),
        worktreeId: random.pick(worktreeIds),
        ...(random.next() < 0.7 ? conditions : {}),
      }),
    )
  }

  async rebuild(): Promise<void> {
    const { ask, random } = this.#options
    const buildId = random.pick(this.#ids.slice(0, -2))
    if (buildId !== undefined) this.#keep(await ask('rebuild', { buildId }))
  }

  async cancel(): Promise<void> {
    const { ask, random } = this.#options
    const buildId = random.pick(this.#ids.slice(-4))
    if (buildId !== undefined) await ask('cancelBuild', { buildId, reason: 'chaos' }, false)
  }

  #keep({ answer }: Asked): void {
    if (answer.type === 'accepted') this.#ids.push(String(answer.object.id))
  }
}
