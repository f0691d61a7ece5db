/** The cost of a workflow's definition is that of its own steps, not of the most steps that one can have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDefinition } from '../../../gateway/operations/work/workflows/definitionCounts.ts'
import { readDefinition } from '../../../spec/work/workflows/storedDefinition.ts'

const step = { needs: [], condition: 'SUCCEEDED', onlyIf: null, timeoutSeconds: null }
const definition = readDefinition({
  name: 'release',
  inputs: [{ name: 'channel' }],
  outputs: [],
  steps: [
    {
      ...step,
      name: 'build',
      action: {
        command: { script: 'make', env: ['A', 'B', 'C'].map((name) => ({ name, value: '1' })) },
        workflow: null,
      },
    },
    {
      ...step,
      name: 'notify',
      action: { command: null, workflow: { workflowId: 'wfl_1', inputs: [{ name: 'a', value: 'b' }] } },
    },
  ],
})

test('the lists of a workflow are counted over all its steps', () => {
  assert.deepEqual(countDefinition(definition), {
    lists: {
      inputs: { items: 1 },
      outputs: { items: 0 },
      steps: {
        items: 2,
        lists: {
          action: {
            items: 2,
            lists: {
              command: { items: 2, lists: { env: { items: 3 } } },
              workflow: { items: 2, lists: { inputs: { items: 1 } } },
            },
          },
        },
      },
    },
  })
})
