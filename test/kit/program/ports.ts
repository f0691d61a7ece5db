/**
 * Ports for programs that cannot use port 0, because others must have their ports before they start or after they restart.
 *
 * The ports are below those that Linux assigns by itself (from 32768 on): a port of that range that was free a moment ago may be
 * in use by a connection when the program starts. Each test process takes its ports from a block that it reserves until it ends:
 * a program that restarts finds its port free, because no other test process hands it out in between.
 */
import { createServer, type Server } from 'node:net'

const lowest = 10_240
const blockSize = 64
const blocks = (32_768 - lowest) / blockSize

/** The number of ports that this process has handed out. */
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
  const first = await reservedBlock()
  for (let tries = 1; tries < blockSize; tries++) {
    const port = first + 1 + (given++ % (blockSize - 1))
    const probe = await listenOn(port)
    if (!probe) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
  throw new Error(`none of the ports ${first + 1} to ${first + blockSize - 1} is free`)
}

/** The first port of this process's block. A process reserves a block by listening on that port until it ends. */
let reservation: Promise<number> | undefined

function reservedBlock(): Promise<number> {
  reservation ??= reserveBlock()
  return reservation
}

async function reserveBlock(): Promise<number> {
  for (let tries = 0; tries < blocks; tries++) {
    const first = lowest + ((process.pid + tries) % blocks) * blockSize
    const guard = await listenOn(first)
    if (!guard) continue
    guard.unref()
    return first
  }
  throw new Error(`other processes have reserved all ${blocks} blocks of ports from ${lowest} on`)
}

/** A server that listens on the port, or nothing if another process does. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((connection) => connection.destroy())
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}
