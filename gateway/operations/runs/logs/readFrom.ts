/** Reads a log as a request asks: from its beginning, its last lines, or after a cursor. */
import { Failure } from '../../../../spec/core/failure.ts'
import { headOf } from './pages.ts'
import { freshStates, type LogPosition } from './position.ts'
import { type Reading, type ReadLog, readForward, readLast } from './read.ts'

/** @param begin the number of the last lines, if there is no cursor */
export async function readFrom(
  reading: Reading,
  from: LogPosition | undefined,
  tried: number,
  begin: 'start' | number,
): Promise<ReadLog> {
  if (from !== undefined) return await readForward(reading, from)
  if (begin !== 'start') return await readLast(reading, tried, begin)
  const { first } = await headOf(reading.views, reading.name)
  return await readForward(reading, { attempt: tried, sequence: first, offset: 0, states: freshStates })
}

/** @throws Failure BAD_USER_INPUT */
export function onlyOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined)
  if (names.length < 2) return
  throw new Failure('BAD_USER_INPUT', `Give only one of ${Object.keys(given).join(', ')}.`, {
    details: { field: names[1] },
  })
}
