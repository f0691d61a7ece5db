/** An import: the user enters a document, reviews it, and sees the result. */
import { createStore } from '@xstate/store'
import type { ImportCounts } from './presetImport.ts'

interface ImportContext {
  readonly step: 'enter' | 'review' | 'done'
  readonly document: string
  /** Whether the browser could not read the selected file. */
  readonly isUnreadable: boolean
  readonly imported: ImportCounts | undefined
}

const initial: ImportContext = { step: 'enter', document: '', isUnreadable: false, imported: undefined }

export function createImportStore() {
  return createStore({
    context: initial,
    on: {
      documentChanged: (context, { document }: { document: string }): ImportContext => ({ ...context, document }),
      fileRead: (context, { document }: { document: string }): ImportContext => ({
        ...context,
        document,
        isUnreadable: false,
      }),
      fileUnreadable: (context): ImportContext => ({ ...context, isUnreadable: true }),
      entered: (context): ImportContext => ({ ...context, step: 'review' }),
      reopened: (context): ImportContext => ({ ...context, step: 'enter' }),
      completed: (context, { imported }: { imported: ImportCounts }): ImportContext => ({
        ...context,
        step: 'done',
        imported,
      }),
    },
  })
}
