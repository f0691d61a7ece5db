/** Every status, phase and kind that the API can send has a label in the catalog, and the tone of a status does not depend on luck. */
import '../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { buildSchema, isEnumType } from 'graphql'
import { formatKind, formatName } from '../../../clients/console/app/parts/formatName.ts'
import { getStateTone, getStatusTone } from '../../../clients/console/app/parts/statusTone.ts'
import { machines } from '../../../machines/machines.ts'
import { kindMessages } from '../../../spec/messages/console/kinds.ts'
import { statusMessages } from '../../../spec/messages/console/statuses.ts'

const schema = buildSchema(readFileSync(new URL('../../../spec/schema.graphql', import.meta.url), 'utf8'))
const valuesOf = (name: string): string[] => {
  const type = schema.getType(name)
  return isEnumType(type) ? type.getValues().map((value) => value.name) : []
}

interface States {
  readonly type?: string
  readonly states?: Readonly<Record<string, States>>
}

/** The states of a machine that its `status` can be: those of its lifecycle. */
function statusesOf({ type, states = {} }: States): string[] {
  return Object.keys(type === 'parallel' ? (states.lifecycle?.states ?? {}) : states)
}

describe('labels', () => {
  test('every status of the API has a label', () => {
    const enums = Object.keys(schema.getTypeMap()).filter((name) => name.endsWith('Status'))
    assert.ok(enums.length > 15)
    const missing = enums.flatMap(valuesOf).filter((status) => !(status in statusMessages.statuses))
    assert.deepEqual([...new Set(missing)], [])
  })

  test('every state of a lifecycle has a label', () => {
    const missing = Object.values(machines)
      .flatMap(({ machine }) => statusesOf(machine.config as States))
      .filter((status) => !(status in statusMessages.statuses))
    assert.deepEqual([...new Set(missing)], [])
  })

  test('every phase, every kind of object and every kind of tool call has a label', () => {
    const missing = (values: readonly string[], labels: object) => values.filter((value) => !(value in labels))
    assert.deepEqual(missing(valuesOf('RunPhase'), statusMessages.phases), [])
    assert.deepEqual(missing([...valuesOf('ActorKind'), ...valuesOf('WorkflowStepKind')], kindMessages), [])
    assert.deepEqual(missing(valuesOf('ToolCallKind'), statusMessages.others), [])
  })

  test('a status or kind that is newer than the page is shown in readable words', () => {
    assert.equal(formatName('WAITING_FOR_INPUT'), 'Waiting for input')
    assert.equal(formatName('WAITING_FOR_THE_MOON'), 'Waiting for the moon')
    assert.equal(formatName('constructor'), 'Constructor')
    assert.equal(formatKind('MOON_BASE'), 'Moon base')
  })
})

describe('tones', () => {
  test('a run that waits for a person, works, failed or succeeded has four different tones', () => {
    assert.deepEqual(['WAITING_FOR_INPUT', 'RUNNING', 'FAILED', 'SUCCEEDED', 'CANCELED'].map(getStatusTone), [
      'attention',
      'working',
      'failed',
      'good',
      'idle',
    ])
  })

  test('a status that the page does not have gets the idle tone', () => {
    assert.equal(getStatusTone('WAITING_FOR_THE_MOON'), 'idle')
  })

  test('an open incident of a chart is a failure, and an open registration is not', () => {
    assert.equal(getStateTone('incident.OPEN'), 'failed')
    assert.equal(getStateTone('OPEN'), 'idle')
  })
})
