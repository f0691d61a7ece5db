/** A command as the pages show it, and the operations on it. */
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'

export const commandFragment = graphql(`fragment CommandFields on Command {
  id name description kind status version revision createdAt updatedAt repositoryId repository { id owner name }
  template arguments { name description type choices default required }
}`)

export type Command = ResultOf<typeof commandFragment>

export const createMutation = graphql(
  'mutation ($input: CreateCommandInput!) { createCommand(input: $input) { command { id } } }',
)
export const updateMutation = graphql(
  'mutation ($input: UpdateCommandInput!) { updateCommand(input: $input) { command { id } } }',
)
export const archiveMutation = graphql(
  'mutation ($id: ID!) { archiveCommand(input: { commandId: $id }) { command { id } } }',
)
export const unarchiveMutation = graphql(
  'mutation ($id: ID!) { unarchiveCommand(input: { commandId: $id }) { command { id } } }',
)
export const runMutation = graphql('mutation ($input: RunCommandInput!) { runCommand(input: $input) { run { id } } }')

export type CommandInput = Omit<VariablesOf<typeof createMutation>['input'], 'idempotencyKey' | 'repositoryId'>
