import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type CliOptions, changeCliOptions } from '../../../spec/runs/cliOptions.ts'

const rules = [{ kind: 'EXECUTE', decision: 'DENY' }] as const
const options: CliOptions = { model: 'large', cliMode: 'plan', permissions: { policy: 'DENY', rules } }

test('options that a change does not name stay the same', () => {
  deepEqual(changeCliOptions(options, {}), options)
  deepEqual(changeCliOptions(options, { model: 'small' }), { ...options, model: 'small' })
  deepEqual(changeCliOptions(options, { policy: 'ASK' }), { ...options, permissions: { policy: 'ASK', rules } })
  deepEqual(changeCliOptions(options, { rules: [] }), { ...options, permissions: { policy: 'DENY', rules: [] } })
})

test('null sets an option to its default', () => {
  deepEqual(changeCliOptions(options, { model: null }), { cliMode: 'plan', permissions: { policy: 'DENY', rules } })
  deepEqual(changeCliOptions(options, { policy: null }), { ...options, permissions: { policy: 'ASK', rules } })
  deepEqual(changeCliOptions(options, { policy: null, rules: null }), { model: 'large', cliMode: 'plan' })
})
