/** A worker thread that hashes blobs. On the main thread, a GiB would delay all other requests for half a second in total. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hashMessages.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

interface HashState {
  readonly hash: Hash
  /** The bytes of the blob that are hashed. */
  covered: number
}

const states = new Map<string, HashState>()
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
      hashFile(stateAt(name, request.from), request.path, request.to)
      return {}
    case 'bytes':
      update(stateAt(name, request.from), request.bytes)
      return {}
    case 'digest':
      return { digest: stateOf(name).hash.copy().digest('hex') }
    case 'discard':
      states.delete(name)
      return {}
  }
}

function stateOf(name: string): HashState {
  const known = states.get(name)
  if (known !== undefined) return known
  const state = { hash: createHash('sha256'), covered: 0 }
  states.set(name, state)
  return state
}

/** @throws Error if the bytes before `from` are not hashed: an earlier task has failed, or its thread has ended */
function stateAt(name: string, from: number): HashState {
  const state = stateOf(name)
  if (state.covered === from) return state
  throw new Error(`${state.covered} bytes are hashed, and the next ones begin at ${from}`)
}

function update(state: HashState, bytes: Uint8Array): void {
  state.hash.update(bytes)
  state.covered += bytes.length
}

function hashFile(state: HashState, path: string, to: number): void {
  const file = openSync(path, 'r')
  try {
    while (state.covered < to) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, to - state.covered), state.covered)
      if (read === 0) throw new Error(`the file ends at ${state.covered}, and ${to} bytes were expected`)
      update(state, buffer.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}
