import { toDateTime } from '../../../spec/core/types.ts'
import { repositories, repository, repositorySchema } from '../../../spec/worktrees/repositories.ts'
import { splitCanonicalName } from '../../../spec/worktrees/repositoryName.ts'
import { preparationsSchema } from '../../../spec/worktrees/repositoryPreparations.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { GraphqlObject, ObjectType, RelationContext } from '../objectType.ts'
import { readPreparations } from './repositoryPreparations.ts'

export const repositoryType: ObjectType<'repository', typeof repositorySchema> = {
  name: 'Repository',
  kind: 'repository',
  schema: repositorySchema,
  relations: {
    preparations: {
      type: 'derived',
      output: preparationsSchema,
      nullable: false,
      description: 'The commands that prepare a new worktree of the repository.',
      load: async (parents, { views }) => {
        const rows = await views.getMany(
          'repository',
          parents.map(({ id }) => String(id)),
        )
        return await Promise.all(parents.map(({ id }) => readPreparations(String(id), rows.get(String(id)), views)))
      },
    },
    codebases: {
      type: 'connection',
      target: 'Codebase',
      kind: 'codebase',
      by: 'scopeId',
      terminal: false,
      nullable: false,
      description: 'The codebases of the repository on all machines, newest first.',
    },
  },
  fromRow: ({ id, init }) => ({ id, ...splitCanonicalName(init.name), createdAt: toDateTime(init.createdAt) }),
}

/** The repository of each codebase: one query for all of them. */
export const repositoryOfCodebase = {
  type: 'derived',
  output: repositorySchema,
  nullable: true,
  description: 'The logical repository that the codebase’s remote names. Null if no remote names a host.',
  load: async (codebases: readonly GraphqlObject[], context: RelationContext) => {
    const ids = codebases.flatMap(({ repositoryId }) => (typeof repositoryId === 'string' ? [repositoryId] : []))
    const rows = await context.views.getMany('repository', [...new Set(ids)])
    return codebases.map(({ repositoryId }) => {
      const row = rows.get(String(repositoryId))
      return row === undefined ? null : repositoryType.fromRow(row, context)
    })
  },
} as const

export const repositoryHandlers = [
  handle(repositories, ['views', 'presence'], {
    read: async (page, context) =>
      await pageOfRows(
        context.views,
        { kind: 'repository' },
        page,
        (row) => repositoryType.fromRow(row, context),
        // The IDs are derived from the names, so the order of the IDs is not the order of creation.
        { CREATED_AT: 'sorted', NAME: 'keyed' },
      ),
  }),
  handle(repository, ['views', 'presence'], { read: oneRow(repositoryType) }),
]
