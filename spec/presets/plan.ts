/** What an import would do, preset by preset, and what is wrong with it. */
import type { Discovery } from '../tools/external.ts'
import type { ToolSelection } from '../tools/tool.ts'
import type { DocumentProblem, DocumentTool } from './document.ts'
import type { ImportAction } from './importInput.ts'
import type { Preset, PresetKind } from './preset.ts'

export const planProblemCodes = [
  'DOCUMENT_TOO_LARGE',
  'NOT_JSON',
  'INVALID_DOCUMENT',
  'TOO_MANY_PRESETS',
  'DUPLICATE_TOOL',
  'UNKNOWN_INDEX',
  'DUPLICATE_DECISION',
  'TARGET_REQUIRED',
  'TARGET_NOT_ALLOWED',
  'TARGET_NOT_FOUND',
  'TARGET_TAKEN',
  'KIND_MISMATCH',
  'NAME_NOT_ALLOWED',
  'NAME_TAKEN',
  'UNKNOWN_SERVER_KEY',
  'DUPLICATE_MAPPING',
  'SERVER_NOT_MAPPED',
  'SERVER_NOT_FOUND',
  'SERVER_UNAVAILABLE',
  'TOOL_NOT_FOUND',
  // Warnings, which keep nothing from being imported.
  'RENAMES_TARGET',
  'NOTHING_TO_IMPORT',
] as const

export interface PlanProblem {
  /** Where in the import's input. */
  readonly path: string
  readonly code: (typeof planProblemCodes)[number] | DocumentProblem['code']
  readonly message: string
}

export interface PlannedTool {
  readonly tool: DocumentTool
  /** What it is here; undefined while its key stands for no server. */
  readonly selection: ToolSelection | undefined
  readonly found: boolean
}

export interface PlannedPreset {
  readonly index: number
  readonly action: ImportAction
  readonly documentName: string
  /** Under which it will stand here. */
  readonly name: string
  readonly kind: PresetKind
  readonly target: Preset | undefined
  /** Not looked at where it is skipped. */
  readonly tools: readonly PlannedTool[]
}

export interface PlannedServer {
  readonly serverKey: string
  readonly serverId: string | undefined
  readonly discovery: Discovery | undefined
  /** The names of the tools that are needed of it. */
  readonly tools: readonly string[]
}

export interface ImportPlan {
  readonly presets: readonly PlannedPreset[]
  readonly servers: readonly PlannedServer[]
  readonly problems: readonly PlanProblem[]
  readonly warnings: readonly PlanProblem[]
}
