import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { JobFolder, RunPlan } from '../jobs/folder.ts'
import { Refusal } from '../jobs/refusal.ts'
import type { BuildSpec } from '../jobs/spec.ts'
import { requireWorktree } from '../roots.ts'
import { childEnvironment } from '../system/environment.ts'
import { gitEnvironment, gitLine } from '../system/git.ts'
import { planCheckout } from './checkout.ts'

/** The file with the hash of the commit, in the folder of the attempt. Its existence means that the steps of the build begin. */
export const commitFile = ({ path }: Pick<JobFolder, 'path'>): string => join(path, 'commit.txt')

/** Throws Refusal if the build is impossible here. Planning starts and changes nothing. */
export async function planBuild(
  spec: BuildSpec,
  folder: JobFolder,
  roots: readonly string[],
): Promise<Omit<RunPlan, 'mark'>> {
  await requireTools(spec.tools)
  const worktree = await requireWorktree(roots, spec.worktreePath)
  const head = await headOf(worktree.path)
  const source =
    spec.source === 'WORKTREE'
      ? { path: worktree.path, steps: [noteCommit(worktree.path, folder), noteChanges(worktree.path)] }
      : await planCommit({ ...spec, commit: spec.commit ?? head }, folder, roots)
  const steps = spec.steps.map(({ name, command }) => ({ name, file: 'sh', args: ['-c', command], cwd: source.path }))
  return {
    // A checkout does not exist when the first step starts.
    cwd: worktree.path,
    env: { ...spec.env, ...variablesOf(spec) },
    timeoutSeconds: spec.timeoutSeconds,
    steps: [...source.steps, ...steps],
  }
}

async function planCommit(spec: BuildSpec & { readonly commit: string }, folder: JobFolder, roots: readonly string[]) {
  const { path, steps } = await planCheckout(spec, folder.mark, roots)
  return { path, steps: [...steps, noteCommit(path, folder)] }
}

/** The variables by which the steps of a build know it. */
function variablesOf({ buildId, number, name, source, serverUrls }: BuildSpec): Record<string, string> {
  const { kind, local, remote, proxy } = serverUrls
  const urls = { LOCAL: local, REMOTE: remote, PROXY: proxy }
  return {
    SIGNALBOX_BUILD_ID: buildId,
    SIGNALBOX_BUILD_NUMBER: String(number),
    SIGNALBOX_BUILD_NAME: name,
    SIGNALBOX_BUILD_SOURCE: source ?? 'COMMIT',
    SIGNALBOX_SERVER_URL_KIND: kind,
    SIGNALBOX_SERVER_URL: urls[kind] ?? remote,
    SIGNALBOX_LOCAL_URL: local,
    SIGNALBOX_REMOTE_URL: remote,
    ...(proxy === null ? {} : { SIGNALBOX_PROXY_URL: proxy }),
  }
}

async function headOf(worktree: string): Promise<string> {
  const head = await gitLine(worktree, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (head !== undefined) return head
  throw new Refusal('COMMIT_NOT_FOUND', `${worktree} has no commit yet.`)
}

const noteCommit = (cwd: string, folder: JobFolder) => ({
  name: 'Commit',
  file: 'sh',
  args: [
    '-c',
    `git --no-pager log -1 --format='%H%n%an, %ad%n%s' && git rev-parse HEAD > "$1.part" && mv "$1.part" "$1"`,
    'sh',
    commitFile(folder),
  ],
  cwd,
  env: gitEnvironment,
  failureCode: 'CHECKOUT_FAILED',
})

/** The log shows how the files of a worktree differ from its commit. */
const noteChanges = (cwd: string) => ({
  name: 'Changes that are not committed',
  file: 'git',
  args: ['--no-optional-locks', 'status', '--short'],
  cwd,
  env: gitEnvironment,
  failureCode: 'CHECKOUT_FAILED',
})

/** @throws Refusal TOOL_MISSING */
async function requireTools(tools: readonly string[]): Promise<void> {
  const folders = (childEnvironment(process.env).PATH ?? '').split(delimiter).filter(Boolean)
  const found = await Promise.all(tools.map((tool) => isInOne(tool, folders)))
  const missing = tools.filter((_, index) => !found[index])
  if (missing.length === 0) return
  throw new Refusal(
    'TOOL_MISSING',
    `The PATH of the agent has no ${missing.join(', ')}. Install it on the machine, or remove it from the requirements of the build configuration.`,
  )
}

async function isInOne(tool: string, folders: readonly string[]): Promise<boolean> {
  const checks = folders.map((folder) =>
    access(join(folder, tool), constants.X_OK).then(
      () => true,
      () => false,
    ),
  )
  return (await Promise.all(checks)).includes(true)
}
