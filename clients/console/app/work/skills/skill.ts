/** A skill as the pages show it, and the operations on it. */
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'

export const skillFragment = graphql(`fragment SkillFields on Skill {
  id name description status version revision size fileCount createdAt updatedAt repository { id owner name }
}`)

export type Skill = ResultOf<typeof skillFragment>

/** All files with their bytes. The newest version if it names none. */
export const contentQuery = graphql(`query ($id: ID!, $version: Int) { skillVersion(skillId: $id, version: $version) {
  version files { path size executable text base64 }
} }`)

export type SkillFile = NonNullable<ResultOf<typeof contentQuery>['skillVersion']>['files'][number]

export const createMutation = graphql(
  'mutation ($input: CreateSkillInput!) { createSkill(input: $input) { skill { id } } }',
)
export const updateMutation = graphql(
  'mutation ($input: UpdateSkillInput!) { updateSkill(input: $input) { skill { id } } }',
)
export const archiveMutation = graphql('mutation ($id: ID!) { archiveSkill(input: { skillId: $id }) { skill { id } } }')
export const unarchiveMutation = graphql(
  'mutation ($id: ID!) { unarchiveSkill(input: { skillId: $id }) { skill { id } } }',
)

export type SkillInput = Omit<VariablesOf<typeof createMutation>['input'], 'idempotencyKey' | 'repositoryId'>
