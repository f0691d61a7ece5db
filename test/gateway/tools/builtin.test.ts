/** Every built-in tool is one that real clients and models can use. */
import { deepEqual, match, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import { toolGroups } from '../../../spec/tools/groups.ts'

const tools = [...builtinTools(operations).values()]
const groups = new Set<string>(toolGroups.map(({ id }) => id))

describe('the built-in tools', () => {
  it('are sorted by name', () => {
    const names = tools.map(({ name }) => name)
    deepEqual(names, [...names].sort())
  })

  for (const { name, group, title, description, inputSchema, outputSchema, annotations } of tools) {
    describe(name, () => {
      it('has a name in snake case that clients accept', () =>
        match(name, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/) ?? ok(name.length <= 64))
      it('belongs to a group', () => ok(groups.has(group), group))
      it('has a title for people and a description for models', () => {
        match(title, /^[A-Z][^.]{2,60}$/)
        ok(description.length >= 20, 'the description is too short')
        match(description, /\.$/)
      })
      it('accepts an object and no unknown fields', () => {
        deepEqual([inputSchema.type, inputSchema.additionalProperties], ['object', false])
      })
      it('returns an object', () => deepEqual(outputSchema.type, 'object'))
      it('is not marked as both read-only and destructive', () =>
        ok(!(annotations.readOnlyHint && annotations.destructiveHint)))
    })
  }
})
