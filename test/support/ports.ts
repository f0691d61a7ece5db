/**
 * Ports for programs that cannot be given port 0, because others must know theirs before they start or after they come back.
 *
 * They are below those that Linux gives out by itself (from 32768 on): a port of that range, free a moment ago, may be
 * somebody's connection when the program starts. Each process of tests takes from a block of its own, for the same reason.
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

/** The next of this process's block that nobody listens on. */
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
