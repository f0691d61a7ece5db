import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { toContent } from '../../../../spec/work/commands/checkContent.ts'
import {
  archiveCommand,
  command,
  commandByName,
  commandSchema,
  commands,
  createCommand,
  unarchiveCommand,
  updateCommand,
} from '../../../../spec/work/commands/commands.ts'
import { pageOfRows } from '../../core/connections.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage, requireKind } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { ObjectType } from '../../objectType.ts'
import type { RequestContext } from '../../requestContext.ts'
import { touchRepository } from '../../tools/touched.ts'
import type { TypedViews } from '../../typedViews.ts'
import { findByName, refuseTaken } from './findCommand.ts'
import { presentContent, versionsOfCommand } from './versions.ts'

export const commandType: ObjectType<'command', typeof commandSchema> = {
  name: 'Command',
  kind: 'command',
  schema: commandSchema,
  relations: {
    ...presentContent,
    versions: versionsOfCommand,
    repository: {
      type: 'one',
      target: 'Repository',
      by: 'repositoryId',
      nullable: true,
      description: 'The logical repository that the command is for. Null: it is for all repositories.',
    },
  },
  fromRow: (row) => {
    const { name, description, kind, revision, updatedAt } = row.context
    return {
      ...{ id: row.id, name, description, kind, revision, version: revision },
      status: row.columns.status as v.InferOutput<typeof commandSchema>['status'],
      repositoryId: row.init.repositoryId,
      createdAt: toDateTime(row.createdAt),
      updatedAt: toDateTime(updatedAt),
    }
  },
}

const toPayload = (row: TypedRow<'command'>, context: RequestContext<'presence'>) => ({
  command: commandType.fromRow(row, context),
})

const toCommand = (id: string, event: ActorEvent, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'command', id }, event }, (row) => toPayload(row, context))

/** The repository of the command. A command of the installation touches none, so every run that has the tool may change it. */
async function touchOwn({ commandId }: { readonly commandId: string }, { views }: { readonly views: TypedViews }) {
  return touchRepository((await requireRow(views, 'command', commandId)).init.repositoryId)
}

export const commandHandlers = [
  handle(commands, ['views', 'presence'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    read: ({ statuses, repositoryId, ...page }, context) =>
      pageOfRows(
        context.views,
        {
          kind: 'command',
          ...(repositoryId ? { where: { scopeId: repositoryId } } : {}),
          statuses: statuses ?? ['ACTIVE'],
        },
        page,
        (row) => commandType.fromRow(row, context),
      ),
  }),
  handle(command, ['views', 'presence'], {
    touches: async ({ id }, { views }) => touchRepository((await views.get('command', id))?.init.repositoryId),
    additions: presentContent,
    read: oneRow(commandType),
  }),
  handle(commandByName, ['views', 'presence'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    additions: presentContent,
    read: async ({ name, repositoryId }, context) => {
      const row = await findByName(name, repositoryId ?? null, context.views)
      return row === undefined ? null : commandType.fromRow(row, context)
    },
  }),
  handle(createCommand, ['views', 'presence', 'ids'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    repeat: { message: 0, answer: ({ row }, context) => toPayload(requireKind('command', row), context) },
    translate: async ({ repositoryId = null, idempotencyKey: _, ...input }, context) => {
      const { views, ids, principal, now } = context
      const content = toContent(input)
      if (repositoryId !== null) await requireRow(views, 'repository', repositoryId)
      await refuseTaken(content.name, repositoryId, views)
      const create = { repositoryId, content, createdBy: principalName(principal), createdAt: now }
      const to = { kind: 'command', id: ids.newId('command') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => toPayload(row, context))
    },
  }),
  handle(updateCommand, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ commandId, expectedRevision, ...input }, context) => {
      const content = toContent(input)
      const { init, columns } = await requireRow(context.views, 'command', commandId)
      if (columns.status === 'ACTIVE') await refuseTaken(content.name, init.repositoryId, context.views, commandId)
      const author = principalName(context.principal)
      return toCommand(commandId, { type: 'update', content, author, ...expecting(expectedRevision) }, context)
    },
  }),
  handle(archiveCommand, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ commandId }, context) => {
      await requireRow(context.views, 'command', commandId)
      return toCommand(commandId, { type: 'archive' }, context)
    },
  }),
  handle(unarchiveCommand, ['views', 'presence'], {
    touches: touchOwn,
    translate: async ({ commandId }, context) => {
      const { init, context: present } = await requireRow(context.views, 'command', commandId)
      await refuseTaken(present.name, init.repositoryId, context.views, commandId)
      return toCommand(commandId, { type: 'unarchive' }, context)
    },
  }),
]
