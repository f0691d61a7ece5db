/**
 * Subscribers that only count. The bytes of each socket are read into one shared buffer and its frames are counted, so that a
 * bench measures the server. Forked by `startSubscribers`; several processes share the work.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { clientFrame, FrameReader, opcodes, upgradeRequest } from '../../../kit/program/frames.ts'

export interface SubscribersOptions {
  readonly port: number
  readonly path: string
  readonly sockets: number
  /** The messages that are sent after the upgrade, and after the acknowledgment of the first one; `null` for a server that only sends. */
  readonly protocol: { readonly init: unknown; readonly subscribe: unknown } | null
}

export interface Subscribers {
  /** The number of messages that all sockets together have received. */
  received(): number
  stop(): void
}

type Report = { readonly ready: true } | { readonly received: number } | { readonly closed: string }

export async function startSubscribers(options: SubscribersOptions, processes: number): Promise<Subscribers> {
  const children: ChildProcess[] = []
  const counts = new Map<ChildProcess, number>()
  await Promise.all(
    Array.from({ length: processes }, (_, index) => {
      const sockets = Math.floor((options.sockets + index) / processes)
      const child = fork(import.meta.filename, [JSON.stringify({ ...options, sockets })], {
        execArgv: ['--no-warnings'],
      })
      children.push(child)
      return new Promise<void>((resolve, reject) => {
        child.on('message', (message) => {
          const report = message as Report
          if ('ready' in report) resolve()
          else if ('received' in report) counts.set(child, report.received)
          else reject(new Error(`a subscriber was cut off: ${report.closed}`))
        })
      })
    }),
  )
  return {
    received: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    stop: () => {
      for (const child of children) child.kill()
    },
  }
}

const reportMs = 4
const readBytes = 256 * 1024

async function subscribeAll(options: SubscribersOptions): Promise<void> {
  let received = 0
  let said = 0
  for (let opened = 0; opened < options.sockets; opened += 50) {
    const group = Math.min(50, options.sockets - opened)
    await Promise.all(Array.from({ length: group }, () => subscribeOne(options, () => void received++)))
  }
  process.send?.({ ready: true } satisfies Report)
  setInterval(() => {
    if (received === said) return
    said = received
    process.send?.({ received } satisfies Report)
  }, reportMs)
}

/** One buffer for all sockets: its content is processed before the next read. */
const shared = Buffer.alloc(readBytes)

function subscribeOne(options: SubscribersOptions, count: () => void): Promise<void> {
  return new Promise((resolve) => {
    const { protocol } = options
    let acknowledged = protocol === null
    let upgraded = false
    const reader = new FrameReader(false, {
      message: () => {
        if (acknowledged) return count()
        acknowledged = true
        socket.write(clientFrame(JSON.stringify(protocol?.subscribe)))
        resolve()
      },
      control: (opcode, payload) => {
        if (opcode === opcodes.ping) socket.write(clientFrame(payload, opcodes.pong))
        else if (opcode === opcodes.close)
          process.send?.({ closed: `${payload.readUInt16BE(0)} ${payload.subarray(2)}` } satisfies Report)
      },
    })
    const socket: Socket = connect({
      port: options.port,
      host: '127.0.0.1',
      onread: {
        buffer: shared,
        callback: (length) => {
          let data = shared.subarray(0, length)
          if (!upgraded) {
            upgraded = true
            data = data.subarray(data.indexOf('\r\n\r\n') + 4)
            if (protocol === null) resolve()
            else socket.write(clientFrame(JSON.stringify(protocol.init)))
          }
          reader.feed(data)
          return true
        },
      },
    })
    socket.on('error', (error) => process.send?.({ closed: error.message } satisfies Report))
    socket.write(upgradeRequest(options.path))
  })
}

const [, entry, given] = process.argv
if (entry === import.meta.filename && given !== undefined) await subscribeAll(JSON.parse(given) as SubscribersOptions)
