/** A machine with the real agent program on it: repositories with worktrees, and the test's coding CLI. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { downloadAgent } from './agent/agentProgram.ts'
import { bareEnvironment } from './program.ts'
import type { TestProgram } from './testProgram.ts'
import { until } from './until.ts'

const root = resolve(import.meta.dirname, '../../..')
const testCli = join(root, 'test/kit/program/agent/testCli.ts')

export interface Machine {
  readonly agentId: string
  /** The repository's folder. */
  readonly repository: string
  readonly codebaseId: string
  /** Worktree IDs by branch; `main` is the repository's own checkout. */
  readonly worktrees: Readonly<Record<string, string>>
  readonly stateDir: string
  worktree(branch: string): string
  /** The path of a branch's worktree. */
  path(branch: string): string
  signal(name: NodeJS.Signals): void
  /** Ends the agent's process; resolves when it is gone. */
  stop(name?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  output(): string
}

export interface MachineOptions {
  readonly name?: string
  /** A worktree for each, beside `main`. */
  readonly branches?: readonly string[]
  /** One of its own where omitted. */
  readonly token?: string
  /** Coding CLIs besides the test's own, each as an argument of `--cli`. */
  readonly clis?: readonly string[]
  readonly hasTestClis?: boolean
  /** Added to the environment of the agent. */
  readonly env?: Readonly<Record<string, string>>
  /** The URL of the server, if the machine reaches it by another one. */
  readonly server?: string
  /** A command in front of the agent's program. */
  readonly prefix?: readonly string[]
  /** The user of the system as whom the agent runs. It runs as one that was installed: from the program that the server serves. */
  readonly user?: string
  /** Is called with the repository's folder before the agent starts. */
  prepare?(repository: string): Promise<unknown>
}

const testClis = [
  `coder=acp:${process.execPath} --no-warnings ${testCli}`,
  `forgetful=acp:${process.execPath} --no-warnings ${testCli} --no-load`,
]

const execute = promisify(execFile)

const ownProgram = {
  command: [process.execPath, '--no-warnings', join(root, 'clients/agent/main.ts')],
  env: bareEnvironment,
}

/** Gives the folder of a machine to the user. The user may be unable to read the project, so the program and Node are copied. */
async function installProgram(stage: TestProgram, folder: string, user: string) {
  const program = await downloadAgent(stage.url, folder)
  const node = join(folder, 'node')
  await copyFile(process.execPath, node)
  await chmod(stage.folder, 0o711)
  await execute('chown', ['-R', `${user}:`, folder])
  await chmod(folder, 0o700)
  return {
    command: ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', node, program],
    env: () => ({ PATH: process.env.PATH ?? '' }),
  }
}

export async function git(cwd: string, ...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  return (await execute('git', [...who, ...args], { cwd })).stdout.trim()
}

export async function makeRepository(path: string, branches: readonly string[] = []): Promise<void> {
  await mkdir(path, { recursive: true })
  await git(path, 'init', '--quiet', '--initial-branch=main')
  await writeFile(join(path, 'README.md'), '# A project\n')
  await git(path, 'add', '.')
  await git(path, 'commit', '--quiet', '-m', 'Begin')
  for (const branch of branches) await git(path, 'worktree', 'add', '--quiet', '-b', branch, `${path}-${branch}`)
}

async function newToken(stage: TestProgram): Promise<string> {
  const { createEnrollmentToken } = await stage.ask<{ createEnrollmentToken: { token: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  return createEnrollmentToken.token
}

export async function startMachine(
  stage: TestProgram,
  {
    name = 'builder',
    branches = [],
    token,
    clis = [],
    hasTestClis = true,
    env = {},
    server = stage.url,
    prefix = [],
    user,
    prepare = async () => {},
  }: MachineOptions = {},
): Promise<Machine> {
  const folder = join(stage.folder, name)
  const repository = join(folder, 'code', 'project')
  const stateDir = join(folder, 'state')
  await makeRepository(repository, branches)
  await prepare(repository)
  const program = user === undefined ? ownProgram : await installProgram(stage, folder, user)
  const enrollment = token ?? (await newToken(stage))
  let output = ''
  let child: ChildProcess | undefined
  const ids: { agentId: string; codebaseId: string; worktrees: Record<string, string> } = {
    agentId: '',
    codebaseId: '',
    worktrees: {},
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = new Promise<void>((done) => ending.once('exit', () => done()))
    ending.kill('SIGCONT')
    ending.kill(signal)
    await exited
  }
  const start = async () => {
    const args = ['--server', server, '--state', stateDir, '--root', join(folder, 'code'), '--name', name]
    const [command = '', ...before] = [...prefix, ...program.command]
    child = spawn(
      command,
      [...before, ...args, ...[...(hasTestClis ? testClis : []), ...clis].flatMap((cli) => ['--cli', cli])],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...program.env(), ...env, HOME: folder, SIGNALBOX_TOKEN: enrollment },
      },
    )
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()))
    await connected(stage, name, () => output)
  }
  stage.onEnd(async () => {
    await stop('SIGKILL')
    await endCommands(stateDir)
  })
  await start()
  const known = await until(`the worktrees of ${name}`, async () => await look(stage, name, branches.length + 1))
  Object.assign(ids, known)
  return {
    get agentId() {
      return ids.agentId
    },
    get codebaseId() {
      return ids.codebaseId
    },
    get worktrees() {
      return ids.worktrees
    },
    repository,
    stateDir,
    worktree(branch) {
      const id = ids.worktrees[branch]
      if (id === undefined) throw new Error(`${name} has no worktree on ${branch}: ${Object.keys(ids.worktrees)}`)
      return id
    },
    path: (branch) => (branch === 'main' ? repository : `${repository}-${branch}`),
    signal: (signal) => void child?.kill(signal),
    stop,
    start,
    output: () => output,
  }
}

async function connected(stage: TestProgram, name: string, output: () => string): Promise<void> {
  await until(`${name} to be connected; it wrote:\n${output()}`, async () => {
    const agent = await agentCalled(stage, name)
    return agent?.connectionStatus === 'CONNECTED' || undefined
  })
}

async function agentCalled(stage: TestProgram, name: string) {
  const { agentConnection } = await stage.ask<{
    agentConnection: { nodes: { id: string; name: string; connectionStatus: string }[] }
  }>('{ agentConnection(first: 10) { nodes { id name connectionStatus } } }')
  return agentConnection.nodes.find((agent) => agent.name === name)
}

async function look(stage: TestProgram, name: string, expected: number) {
  const agentId = (await agentCalled(stage, name))?.id
  const page = await stage.ask<{ worktrees: { nodes: { id: string; codebaseId: string; branch: string | null }[] } }>(
    'query ($agentId: ID) { worktrees(agentId: $agentId, first: 50) { nodes { id codebaseId branch } } }',
    { agentId },
  )
  const { nodes } = page.worktrees
  const codebaseId = nodes[0]?.codebaseId
  if (agentId === undefined || codebaseId === undefined || nodes.length < expected) return undefined
  return { agentId, codebaseId, worktrees: Object.fromEntries(nodes.map(({ id, branch }) => [branch ?? '', id])) }
}

/** Commands outlive their agent on purpose; a test's must not outlive the test. They are known by the mark in their environment. */
async function endCommands(stateDir: string): Promise<void> {
  for (const pid of await processesWith(stateDir)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
}

async function processesWith(text: string): Promise<number[]> {
  const { readdir, readFile } = await import('node:fs/promises')
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(text)) found.push(Number(entry))
  }
  return found
}
