import { spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../database/startError.ts'

/** The exclusive right of one process to a data folder. The kernel releases it when the process ends, for whatever reason. */
export interface FolderLock {
  release(): void
}

/**
 * Locks a folder by a file in it. The file stays. Only the kernel's lock on it counts, not its existence and not the process ID
 * inside. The process ID is only for the error message of the process that does not get the lock.
 * Throws `StartError` that names the holder.
 */
export async function lockFolder(folder: string, file: string): Promise<FolderLock> {
  // On macOS, open() itself takes a flock (O_EXLOCK). Node's constants do not have that flag.
  const darwin = process.platform === 'darwin'
  const flags = constants.O_RDWR | constants.O_CREAT | (darwin ? 0x20 | constants.O_NONBLOCK : 0)
  let fd: number
  try {
    fd = openSync(file, flags, 0o600)
  } catch (error) {
    if (darwin && (error as NodeJS.ErrnoException).code === 'EAGAIN') throw await held(folder, file)
    throw error
  }
  let fallback: Server | undefined
  try {
    const answer = darwin ? 'taken' : await flock(fd)
    if (answer === 'held') throw await held(folder, file)
    if (answer === 'unsupported') fallback = await listenAbstract(fd)
    if (answer === 'unsupported' && fallback === undefined) throw await held(folder, file)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  ftruncateSync(fd)
  writeSync(fd, `${process.pid} ${hostname()}\n`, 0)
  return {
    release() {
      ftruncateSync(fd)
      closeSync(fd)
      fallback?.close()
    },
  }
}

/**
 * Node cannot call flock(2), but the lock belongs to the open file and not to the process that requested it. A `flock` command
 * that ends at once takes it on our descriptor, and this process holds it when that command has ended. No later child inherits
 * it, since Node opens files close-on-exec.
 */
function flock(fd: number): Promise<'taken' | 'held' | 'unsupported'> {
  return new Promise((resolve) => {
    const child = spawn('flock', ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.on('error', () => resolve('unsupported'))
    child.on('exit', (code) => resolve(code === 0 ? 'taken' : code === 1 ? 'held' : 'unsupported'))
  })
}

/** For systems without a `flock` command (very small images): a name in Linux's abstract socket namespace, one for each file. */
function listenAbstract(fd: number): Promise<Server | undefined> {
  const { dev, ino } = fstatSync(fd)
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen({ path: `\0signalbox-${dev}-${ino}` }, () => resolve(server.unref()))
  })
}

async function held(folder: string, file: string): Promise<StartError> {
  let holder = ''
  // The holder writes its process ID just after it has the lock, so this waits a moment for it.
  for (let attempt = 0; attempt < 10 && holder === ''; attempt++) {
    if (attempt > 0) await sleep(20)
    holder = readFileSync(file, 'utf8').trim()
  }
  const [pid, host] = holder.split(' ')
  const where = host === undefined || host === hostname() ? '' : ` on ${host}`
  const who = pid ? `the Signalbox process ${pid}${where}` : 'another Signalbox process'
  return new StartError(`The data folder ${folder} is in use by ${who}: stop it, or give this one another DATA_DIR.`)
}
