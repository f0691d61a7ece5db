/**
 * One log, many subscribers: how many deliveries a second one core of the gateway makes. The subscribers are another
 * process that only counts frames, so the figure is deliveries for each second of the server's own processor time.
 *   node test/bench/fanOut.ts [subscribers] [entries] [entries a batch] [bytes an entry]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startWorld } from '../gateway/support/world.ts'

const number = (index: number, otherwise: number): number => Number(process.argv[index] ?? otherwise)
const subscribers = number(2, 1_000)
const entries = number(3, 1_000)
const batch = number(4, 10)
const bytes = number(5, 200)

const document = 'subscription L($name: String!) { logAdded(name: $name) { sequence dataBase64 } }'

async function serve(): Promise<void> {
  const world = await startWorld({ settings: { limits: { socketQueueBytes: 256 * 1024 * 1024 } } })
  const { token } = await world.signIn()
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    env: { ...process.env, FAN_OUT_PORT: String(world.gateway.port), FAN_OUT_TOKEN: token },
  })
  await once(child, 'message')
  await sleep(300)
  const cpu = process.cpuUsage()
  const began = performance.now()
  const text = 'x'.repeat(bytes)
  for (let sequence = 0; sequence < entries; sequence += batch) {
    await world.append('bench', sequence, Array<string>(batch).fill(text))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await once(child, 'message')
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const cpuSeconds = (used.user + used.system) / 1e6
  const deliveries = subscribers * entries
  console.log(
    `${subscribers} subscribers × ${entries} entries of ${bytes} B, ${batch} a batch (socket queue raised to 256 MiB): ` +
      `${Math.round(deliveries / cpuSeconds / 1000)} k deliveries a core-second, ${Math.round(deliveries / seconds / 1000)} k a second`,
  )
  child.kill()
  await world.stop()
}

async function subscribe(port: number, token: string): Promise<void> {
  let received = 0
  let ready = 0
  const wanted = subscribers * entries
  const open = (): void => {
    const socket = connect(port, '127.0.0.1')
    let upgraded = false
    socket.write(
      'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    )
    const counter = frameCounter()
    socket.on('data', (chunk: Buffer) => {
      let data = chunk
      if (!upgraded) {
        upgraded = true
        say(socket, { type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
        say(socket, { type: 'subscribe', id: 's', payload: { query: document, variables: { name: 'bench' } } })
        data = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4)
      }
      const frames = counter(data)
      if (frames === 0) return
      // The first is the acknowledgement.
      if (socket.listenerCount('acknowledged') === 0) {
        socket.on('acknowledged', () => {})
        received += frames - 1
        if (++ready === subscribers) process.send?.('ready')
      } else received += frames
      if (received === wanted) process.send?.('done')
    })
  }
  for (let n = 0; n < subscribers; n++) {
    open()
    if (n % 100 === 99) await sleep(10)
  }
}

function say(socket: Socket, message: unknown): void {
  const payload = Buffer.from(JSON.stringify(message))
  // A mask of zeros leaves the payload as it is.
  socket.write(
    Buffer.concat([Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]), payload]),
  )
}

/** Counts whole frames in what comes, without keeping it. */
function frameCounter(): (data: Buffer) => number {
  let skip = 0
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    let at = 0
    let frames = 0
    const all = rest.length > 0 ? Buffer.concat([rest, data]) : data
    rest = Buffer.alloc(0)
    while (at < all.length) {
      if (skip > 0) {
        const step = Math.min(skip, all.length - at)
        skip -= step
        at += step
        if (skip === 0) frames++
        continue
      }
      const short = (all[at + 1] ?? 0) & 127
      const head = short === 126 ? 4 : short === 127 ? 10 : 2
      if (all.length - at < head) {
        rest = all.subarray(at)
        break
      }
      skip = short === 126 ? all.readUInt16BE(at + 2) : short === 127 ? Number(all.readBigUInt64BE(at + 2)) : short
      at += head
    }
    return frames
  }
}

const port = process.env.FAN_OUT_PORT
if (port === undefined) await serve()
else await subscribe(Number(port), process.env.FAN_OUT_TOKEN ?? '')
