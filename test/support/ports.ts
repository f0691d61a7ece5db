/**
 * Ports for programs that cannot use port 0, because others must have their ports before they start or after they restart.
 *
 * The ports are below those that Linux assigns by itself (from 32768 on): a port of that range that was free a moment ago may be
 * in use by a connection when the program starts. For the same reason, each test process takes ports from a block of its own.
 */
import { createServer } from 'node:net'

const lowest = 10_240
const blockSize = 64
const blocks = (32_768 - lowest) / blockSize
const block = lowest + (process.pid % blocks) * blockSize
let given = 0

export interface Ports {
  readonly main: number
  readonly agent: number
}

export async function freePorts(): Promise<Ports> {
  return { main: await freePort(), agent: await freePort() }
}

/** The next port of this process's block on which no process listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < blockSize; tries++) {
    const port = block + (given++ % blockSize)
    if (await canBeListenedOn(port)) return port
  }
  throw new Error(`none of the ports ${block} to ${block + blockSize - 1} is free`)
}

function canBeListenedOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
