/** The message and the details of a refusal because of the state. A walk of every machine finds the refusals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machines } from '../../machines/machines.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { tryAll } from './goldenTables.ts'

/** The names of events are parts of a machine. They are in the details, for programs. */
const namesEvent = (message: string, type: string): boolean => message.includes(`"${type}"`)

for (const kind of Object.keys(machines) as ActorKind[]) {
  test(`${kind}: a refusal for its state has details, is written in sentences and names no event`, () => {
    const wrong = new Set<string>()
    for (const { event, result } of tryAll(kind)) {
      if (result.type !== 'refused' || result.code !== 'FAILED_PRECONDITION') continue
      const { message, details } = result
      if (details === undefined || namesEvent(message, event.type) || !message.endsWith('.')) wrong.add(message)
    }
    assert.deepEqual([...wrong], [])
  })
}
