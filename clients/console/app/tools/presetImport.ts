/** An import of presets: its preview, the decisions for it, and its result. */
import { graphql, type ReadonlyDeep, type ResultOf, type VariablesOf } from '../data/graphql.ts'

export const previewQuery =
  graphql(`query ($input: McpToolPresetImportInput!) { previewMcpToolPresetImport(input: $input) {
  previewToken expiresAt errorCount errors { path code message } warnings { path code message }
  presets { index action documentName name kind targetId tools { source name serverKey serverId found } }
  servers { serverKey status tools }
} }`)
export const importMutation =
  graphql(`mutation ($input: McpToolPresetImportInput!) { importMcpToolPresets(input: $input) {
  created replaced skipped
} }`)

export type ImportPreview = ResultOf<typeof previewQuery>['previewMcpToolPresetImport']
export type ImportEntry = ImportPreview['presets'][number]
export type ImportProblem = ImportPreview['errors'][number]
export type ImportCounts = ResultOf<typeof importMutation>['importMcpToolPresets']

type ImportInput = ReadonlyDeep<VariablesOf<typeof importMutation>['input']>
export type ImportDecision = NonNullable<ImportInput['decisions']>[number]
