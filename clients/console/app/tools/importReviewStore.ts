/** The review of an import: the decisions of the user, the preview for them, and the import itself. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../data/apiError.ts'
import type { ImportDecision, ImportPreview } from './presetImport.ts'

export interface ImportChoices {
  readonly decisions: readonly ImportDecision[]
  /** The IDs of servers, by the key in the document. */
  readonly mappings: Readonly<Record<string, string>>
}

interface ImportReviewContext {
  readonly choices: ImportChoices
  /** The last preview, which may be for earlier choices. */
  readonly preview: ImportPreview | undefined
  readonly previewedChoices: ImportChoices | undefined
  readonly isImporting: boolean
  readonly error: ApiError | undefined
}

const initial: ImportReviewContext = {
  choices: { decisions: [], mappings: {} },
  preview: undefined,
  previewedChoices: undefined,
  isImporting: false,
  error: undefined,
}

export function createImportReviewStore() {
  return createStore({
    context: initial,
    on: {
      decided: (context, { decisions }: { decisions: readonly ImportDecision[] }): ImportReviewContext =>
        choose(context, { decisions: replaceDecisions(context.choices.decisions, decisions) }),
      /** An empty ID removes the mapping. */
      serverMapped: (context, { serverKey, id }: { serverKey: string; id: string }): ImportReviewContext => {
        const { [serverKey]: _, ...others } = context.choices.mappings
        return choose(context, { mappings: id === '' ? others : { ...others, [serverKey]: id } })
      },
      /** The same choices are previewed again. */
      previewRequested: (context): ImportReviewContext => choose(context, {}),
      previewed: (
        context,
        { preview, choices }: { preview: ImportPreview; choices: ImportChoices },
      ): ImportReviewContext => ({ ...context, preview, previewedChoices: choices }),
      importStarted: (context): ImportReviewContext => ({ ...context, isImporting: true, error: undefined }),
      failed: (context, { error }: { error: ApiError }): ImportReviewContext => ({
        ...context,
        isImporting: false,
        error,
      }),
    },
  })
}

function choose(context: ImportReviewContext, change: Partial<ImportChoices>): ImportReviewContext {
  return { ...context, choices: { ...context.choices, ...change }, error: undefined }
}

function replaceDecisions(
  decisions: readonly ImportDecision[],
  changed: readonly ImportDecision[],
): readonly ImportDecision[] {
  const indexes = new Set(changed.map(({ index }) => index))
  return [...decisions.filter(({ index }) => !indexes.has(index)), ...changed]
}
