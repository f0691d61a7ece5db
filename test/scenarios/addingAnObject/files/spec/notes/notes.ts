/** Notes that users write for each other. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named, text } from '../core/types.ts'

export const noteStatus = named('NoteStatus', 'Whether the note was deleted.', v.picklist(['OPEN', 'DELETED']))

export const noteSchema = named(
  'Note',
  'A note that users write for each other.',
  v.object({ id, name: v.string(), status: noteStatus, createdAt: dateTime }),
)

export const note = query({
  ...oneById('note', noteSchema),
  tool: {
    group: 'discovery',
    name: 'get_note',
    title: 'Get a note',
    description: 'Returns one note by its ID (`nte_…`). Find IDs with `get_notes`.',
  },
})

export const notes = query({
  name: 'notes',
  description: 'Notes that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'discovery',
    name: 'get_notes',
    title: 'List notes',
    description: 'Lists the notes that were not deleted, newest first. Continue with `after: pageInfo.endCursor`.',
  },
  input: v.object({ ...pageArguments }),
  output: connectionOf('Note', noteSchema),
})

const payload = (typeName: string) => named(typeName, 'The note after the change.', v.object({ note: noteSchema }))

const noteName = v.pipe(text({ min: 1, max: 100 }), v.description('The text of the note.'))

export const createNote = mutation({
  name: 'createNote',
  description: 'Creates a note.',
  access: 'people',
  tool: { group: 'discovery', title: 'Create a note', description: 'Creates a note. `get_notes` lists all notes.' },
  input: v.object({ name: noteName, idempotencyKey }),
  output: payload('CreateNotePayload'),
})

export const renameNote = mutation({
  name: 'renameNote',
  description: 'Changes the text of a note.',
  access: 'people',
  tool: { group: 'discovery', title: 'Rename a note', idempotent: true },
  input: v.object({ noteId: idOf('note'), name: noteName }),
  output: payload('RenameNotePayload'),
})

export const deleteNote = mutation({
  name: 'deleteNote',
  description: 'Deletes a note.',
  access: 'people',
  tool: { group: 'discovery', title: 'Delete a note', idempotent: true },
  input: v.object({ noteId: idOf('note') }),
  output: payload('DeleteNotePayload'),
})
