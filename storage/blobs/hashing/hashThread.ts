/** A worker thread that hashes blobs. On the main thread, a GiB would delay all other requests for half a second in total. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hashMessages.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

const states = new Map<string, Hash>()
const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

port.on('message', (request: HashRequest) => {
  const { number, name } = request
  const answer: HashAnswer = (() => {
    try {
      return { number, ...carryOut(request) }
    } catch (error) {
      states.delete(name)
      return { number, problem: error instanceof Error ? error.message : String(error) }
    }
  })()
  port.postMessage(answer)
})

function carryOut(request: HashRequest): Omit<HashAnswer, 'number'> {
  const { name } = request
  switch (request.type) {
    case 'file':
      hashFile(stateOf(name), request.path, request.from, request.to)
      return {}
    case 'bytes':
      stateOf(name).update(request.bytes)
      return {}
    case 'digest':
      return { digest: stateOf(name).copy().digest('hex') }
    case 'forget':
      states.delete(name)
      return {}
  }
}

function stateOf(name: string): Hash {
  const known = states.get(name)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  states.set(name, hash)
  return hash
}

function hashFile(hash: Hash, path: string, from: number, to: number): void {
  const file = openSync(path, 'r')
  try {
    for (let at = from; at < to; ) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
      if (read === 0) throw new Error(`the file ends at ${at}, and ${to} bytes were expected`)
      hash.update(buffer.subarray(0, read))
      at += read
    }
  } finally {
    closeSync(file)
  }
}
