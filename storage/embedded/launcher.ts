import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** uid and gid of `nobody`. PostgreSQL refuses uid 0, and initdb refuses a uid that has no name. */
export const NOBODY = 65534

/**
 * A way to start a PostgreSQL program as a user that it accepts. If the system supports it, the program ends with this process.
 * Every way keeps the process ID: the spawned process becomes PostgreSQL by exec.
 */
export interface Launcher {
  readonly name: 'direct' | 'namespace' | 'capability' | 'nobody'
  /** The command that is put before PostgreSQL's own. */
  readonly prefix: readonly string[]
  /** The uid that Node changes to, if no command does it. */
  readonly uid?: number
  /** The owner of PostgreSQL's files, as this process sees it. */
  readonly owner: number
  /** The kernel ends PostgreSQL (fast shutdown) if this process dies, for whatever reason. */
  readonly diesWithParent: boolean
}

const dieWithParent = ['setpriv', '--pdeathsig', 'INT']
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

/** The ways to try, best first, for a process of this uid. */
export function launchers(uid: number = process.geteuid?.() ?? 0): Launcher[] {
  // In a user namespace, the process has the uid of `nobody`, but to the file system it has this uid. Nothing needs a chown.
  const namespace: Launcher = {
    name: 'namespace',
    prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, ...dieWithParent],
    owner: uid,
    diesWithParent: true,
  }
  if (uid !== 0) {
    const direct: Launcher[] = [
      { name: 'direct', prefix: dieWithParent, owner: uid, diesWithParent: true },
      { name: 'direct', prefix: [], owner: uid, diesWithParent: false },
    ]
    return hasName() ? direct : [namespace]
  }
  return [
    namespace,
    // For systems that forbid namespaces (containers), and for a path through another user's private folder.
    {
      name: 'capability',
      prefix: [...asNobody, '--inh-caps=+dac_override', '--ambient-caps=+dac_override', ...dieWithParent.slice(1)],
      owner: NOBODY,
      diesWithParent: true,
    },
    { name: 'nobody', prefix: [...asNobody, ...dieWithParent.slice(1)], owner: NOBODY, diesWithParent: true },
    { name: 'nobody', prefix: [], uid: NOBODY, owner: NOBODY, diesWithParent: false },
  ]
}

/**
 * Returns the reason why the program cannot be run this way, or cannot reach the folder: the error of the system. Undefined if it can.
 * The folder is only entered: PostgreSQL writes to a folder of its own inside it.
 */
export async function findLaunchProblem(
  launcher: Launcher,
  program: string,
  folder: string,
): Promise<string | undefined> {
  const script = '"$1" -V >/dev/null && cd "$2"'
  const [command, ...args] = [...launcher.prefix, '/bin/sh', '-c', script, 'sh', program, folder]
  try {
    await run(command ?? '/bin/sh', args, { env: environment(), timeout: 10_000, ...identity(launcher) })
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return (stderr?.trim() || message).split('\n').at(-1) ?? 'no reason given'
  }
}

/** Starts a program in a session of its own, so that Ctrl-C in a terminal reaches only this process. */
export function launch(
  launcher: Launcher,
  program: string,
  args: readonly string[],
  options: { cwd: string; stdio: StdioOptions },
): ChildProcess {
  const [command, ...rest] = [...launcher.prefix, program, ...args]
  return spawn(command ?? program, rest, { ...options, ...identity(launcher), env: environment(), detached: true })
}

function identity(launcher: Launcher): { uid?: number; gid?: number } {
  return launcher.uid === undefined ? {} : { uid: launcher.uid, gid: launcher.uid }
}

/** PostgreSQL inherits nothing of this environment: no secret, and no `PG…` variable that would change its behavior. */
function environment(): NodeJS.ProcessEnv {
  const path = process.env.PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return { PATH: path, LC_ALL: 'C', TZ: 'UTC' }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}
