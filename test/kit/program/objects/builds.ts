/** Builds as a script starts them and looks at them. */
import { join } from 'node:path'
import { git, type Machine } from '../machine.ts'
import { mutate } from '../runs.ts'
import type { Ask, TestProgram } from '../testProgram.ts'
import { patienceMs, until } from '../until.ts'

export interface BuildView {
  readonly id: string
  readonly displayNumber: number
  readonly name: string
  readonly status: string
  readonly phase: string | null
  readonly trigger: string
  readonly source: string
  readonly worktreeConcurrencyLimit: number | null
  readonly admittedAt: string | null
  readonly blockedBy: BlockView | null
  readonly configurationVersion: number
  readonly requestedCommit: string | null
  readonly commit: string | null
  readonly rebuildOfId: string | null
  readonly jobId: string | null
  readonly exitCode: number | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

export interface BlockView {
  readonly reason: string
  readonly message: string
  readonly runIds: readonly string[]
  readonly buildIds: readonly string[]
}

export const blockFields = 'blockedBy { reason message runIds buildIds }'

export const buildFields = `id displayNumber name status phase trigger source configurationVersion requestedCommit commit rebuildOfId jobId exitCode
  worktreeConcurrencyLimit admittedAt ${blockFields} problem { code message } startedAt endedAt`

const ended: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST'])

/** Gives the repository of a machine a remote, `https://git.example.com/acme/shop.git`, which is a bare repository in its folder. */
export async function withRemote(
  stage: TestProgram,
  machine: Machine,
): Promise<{ repositoryId: string; remote: string }> {
  const remote = await addBareRemote(machine.repository)
  return { repositoryId: await repositoryOf(stage, machine), remote }
}

/** @returns the path of the bare repository */
export async function addBareRemote(repository: string): Promise<string> {
  const address = 'https://git.example.com/acme/shop.git'
  const remote = join(repository, '..', '..', 'origin.git')
  await git(repository, 'clone', '--quiet', '--bare', '.', remote)
  await git(repository, 'config', `url.${remote}.insteadOf`, address)
  await git(repository, 'remote', 'add', 'origin', address)
  return remote
}

/** The ID of the repository of a machine's codebase. */
export function repositoryOf(stage: TestProgram, machine: Machine): Promise<string> {
  return until('the repository of the codebase', async () => {
    const { codebase } = await stage.ask<{ codebase: { repository: { id: string } | null } }>(
      'query ($id: ID!) { codebase(id: $id) { repository { id } } }',
      { id: machine.codebaseId },
    )
    return codebase.repository?.id
  })
}

/** Creates a build configuration, and returns its ID. */
export async function createConfiguration(ask: Ask, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { buildConfiguration } = await mutate<{ buildConfiguration: { id: string } }>(
    ask,
    'createBuildConfiguration',
    { name: 'release', steps: [{ name: 'build', command: 'true' }], ...input },
    'buildConfiguration { id }',
  )
  return buildConfiguration.id
}

export async function startBuild(ask: Ask, input: Readonly<Record<string, unknown>>): Promise<BuildView> {
  return (await mutate<{ build: BuildView }>(ask, 'startBuild', input, `build { ${buildFields} }`)).build
}

export async function lookAtBuild(ask: Ask, id: string): Promise<BuildView> {
  const { build } = await ask<{ build: BuildView | null }>(`query ($id: ID!) { build(id: $id) { ${buildFields} } }`, {
    id,
  })
  if (build === null) throw new Error(`there is no build ${id}`)
  return build
}

/** Waits until the build has one of the statuses; fails at once if it has ended otherwise. */
export async function untilBuild(
  ask: Ask,
  id: string,
  wanted: readonly string[],
  withinMs = patienceMs,
): Promise<BuildView> {
  const found = await until(
    `build ${id} to be ${wanted.join(' or ')}`,
    async () => {
      const build = await lookAtBuild(ask, id)
      return wanted.includes(build.status) || ended.has(build.status) ? build : undefined
    },
    withinMs,
  )
  if (wanted.includes(found.status)) return found
  throw new Error(`build ${id} was to be ${wanted.join(' or ')} and ended: ${JSON.stringify(found)}`)
}

export async function readBuildLog(ask: Ask, buildId: string): Promise<string> {
  const { buildLog } = await ask<{ buildLog: { text: string } }>(
    'query ($buildId: ID!) { buildLog(buildId: $buildId, last: 1000) { text complete } }',
    { buildId },
  )
  return buildLog.text
}
