import { Socket, type SocketConstructorOpts } from 'node:net'
import { connect, type Sql, type Target } from '../sql.ts'

/**
 * One backend of PostgreSQL on one connection. It never reconnects by itself: after a loss, what it was doing must be
 * settled first, and for that its process has to be known.
 */
export interface Session {
  readonly sql: Sql
  /** The backend, to be ended when the connection is lost. */
  readonly pid: number
  /** When the backend began, as text: a process ID alone may be another's by the time it is looked for. */
  readonly since: string
  readonly lost: boolean
  /** Cuts the connection. */
  cut(): void
  close(): Promise<void>
}

/**
 * The planner's choices are made for look-ups of few rows by key, whatever the tables' sizes are when a plan is made: left to
 * itself it plans the commit statement 16 % slower.
 */
const settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  work_mem: '32MB',
  statement_timeout: '30s',
}

/** A batch is up to some hundred kB. Past this mark postgres.js waits for all answers before it sends more. */
const writableHighWaterMark = 64 * 1024 * 1024

const connectTimeoutMs = 10_000

export async function openSession(target: Target, owner: string): Promise<Session> {
  let socket: Socket | undefined
  let failure: Error | undefined
  let lost = false
  const sql = connect(target, {
    name: `journal ${owner}`,
    max: 1,
    settings,
    extra: {
      max_pipeline: 1_000,
      backoff: false,
      onclose: () => {
        lost = true
      },
      // Given a second time when postgres.js reconnects: that is refused.
      socket: async (options: SocketOptions) => {
        if (socket !== undefined) return doomed(new Error('the connection was lost'))
        socket = new Socket({ writableHighWaterMark } as SocketConstructorOpts)
        try {
          await connected(socket, options)
          return socket
        } catch (error) {
          failure = error instanceof Error ? error : new Error(String(error))
          return doomed(failure)
        }
      },
    } as object,
  })
  try {
    const [row] = await sql<{ pid: number; since: string }[]>`
      select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()`
    if (row === undefined) throw new Error('PostgreSQL does not show its own session.')
    return {
      sql,
      pid: row.pid,
      since: row.since,
      get lost() {
        return lost
      },
      cut: () => void socket?.destroy(),
      close: () => sql.end({ timeout: 5 }),
    }
  } catch (error) {
    socket?.destroy()
    void sql.end({ timeout: 0 })
    throw failure ?? error
  }
}

interface SocketOptions {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

function connected(socket: Socket, { host, port, path }: SocketOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), connectTimeoutMs)
    const end = (then: () => void): void => {
      clearTimeout(timer)
      socket.removeListener('error', failed)
      then()
    }
    const failed = (error: Error): void => end(() => reject(error))
    socket.once('error', failed)
    socket.once('connect', () => end(resolve))
    socket.setNoDelay(true)
    if (path) socket.connect(path)
    else {
      // postgres.js reads the name for TLS from the socket.
      Object.assign(socket, { host: host[0], port: port[0] })
      socket.connect(port[0] ?? 5432, host[0] ?? 'localhost')
    }
  })
}

/** postgres.js waits for ever where no socket comes: it gets one that fails. */
function doomed(error: Error): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error))
  return socket
}
