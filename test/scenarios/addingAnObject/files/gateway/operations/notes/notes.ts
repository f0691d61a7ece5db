import type * as v from 'valibot'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  createNote,
  deleteNote,
  note,
  noteSchema,
  type noteStatus,
  notes,
  renameNote,
} from '../../../spec/notes/notes.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'

export const noteType: ObjectType<'note', typeof noteSchema> = {
  name: 'Note',
  kind: 'note',
  schema: noteSchema,
  relations: {},
  fromRow: (row) => ({
    id: row.id,
    name: row.context.name,
    status: row.columns.status as v.InferOutput<typeof noteStatus>,
    createdAt: toDateTime(row.createdAt),
  }),
}

async function sendToNote(noteId: string, event: ActorEvent, context: RequestContext<'views' | 'presence'>) {
  await requireRow(context.views, 'note', noteId)
  return oneMessage({ to: { kind: 'note', id: noteId }, event }, (row) => ({ note: noteType.fromRow(row, context) }))
}

export const noteHandlers = [
  handle(note, ['views', 'presence'], { read: oneRow(noteType) }),
  handle(notes, ['views', 'presence'], {
    read: async (page, context) =>
      await pageOfRows(context.views, { kind: 'note', terminal: false }, page, (row) => noteType.fromRow(row, context)),
  }),
  handle(createNote, ['presence', 'ids'], {
    repeat: {
      message: 0,
      answer: ({ row }, context) => ({ note: noteType.fromRow(requireKind('note', row), context) }),
    },
    translate: ({ name }, context) => {
      const create = { name, createdBy: principalName(context.principal), createdAt: context.now }
      const created = {
        to: { kind: 'note', id: context.ids.newId('note') },
        event: { type: 'create' },
        create,
      } as const
      return oneMessage(created, (row) => ({ note: noteType.fromRow(row, context) }))
    },
  }),
  handle(renameNote, ['views', 'presence'], {
    translate: ({ noteId, name }, context) => sendToNote(noteId, { type: 'rename', name }, context),
  }),
  handle(deleteNote, ['views', 'presence'], {
    translate: ({ noteId }, context) => sendToNote(noteId, { type: 'delete' }, context),
  }),
]
