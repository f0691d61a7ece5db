/**
 * Blobs whose names follow from their content: the symbols of a slice and their table. Several uploads may have the same slice, so several may
 * write one blob at the same time. In a process they take turns. Of two processes, one waits until the other has written it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { KeyedSemaphore } from '../../../limits/keyedSemaphore.ts'

const turns = new WeakMap<object, KeyedSemaphore>()
/** A writer appends more often than that, ms. */
const lookAgainMs = 1_000

/** Runs the task as the only writer of the blob in this process. */
export async function inTurn<T>(blobs: object, name: string, task: () => Promise<T>): Promise<T> {
  let ofStorage = turns.get(blobs)
  if (ofStorage === undefined) {
    ofStorage = new KeyedSemaphore(1)
    turns.set(blobs, ofStorage)
  }
  return await ofStorage.run(name, task)
}

/**
 * Removes the bytes of a blob whose writer has ended before it was whole.
 * @param size bytes that it has
 * @throws Failure UNAVAILABLE if another process writes it
 */
export async function clearUnfinished(
  name: string,
  size: number,
  blobs: Pick<Blobs, 'size' | 'truncate'>,
): Promise<void> {
  await sleep(lookAgainMs)
  if ((await blobs.size(name)) !== size) throw writtenByAnother(name)
  await blobs.truncate(name, 0)
}

/** @throws Failure UNAVAILABLE if another process writes it; INSUFFICIENT_STORAGE */
export async function appendPiece(
  name: string,
  offset: number,
  piece: Uint8Array,
  blobs: Pick<Blobs, 'append'>,
): Promise<number> {
  try {
    return await blobs.append(name, offset, piece)
  } catch (error) {
    if (error instanceof RangeError) throw writtenByAnother(name)
    throw error
  }
}

function writtenByAnother(name: string): Failure {
  return new Failure('UNAVAILABLE', `Another process writes ${name} at the moment.`)
}
