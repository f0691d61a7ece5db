import type { Discovery } from '../../../../spec/tools/external.ts'
import type { planProblemCodes } from '../../../../spec/tools/presets/plan.ts'
import type { PresetKind } from '../../../../spec/tools/presets/presetKinds.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'
import type { DocumentProblem, DocumentTool } from './document.ts'
import type { ImportAction } from './importInput.ts'
import type { Preset } from './preset.ts'

export interface PlanProblem {
  /** The path in the import's input. */
  readonly path: string
  readonly code: (typeof planProblemCodes)[number] | DocumentProblem['code']
  readonly message: string
}

export interface PlannedTool {
  readonly tool: DocumentTool
  /** The tool on this server. Undefined if its server key is not mapped. */
  readonly selection: ToolSelection | undefined
  readonly found: boolean
}

export interface PlannedPreset {
  readonly index: number
  readonly action: ImportAction
  readonly documentName: string
  /** The name that it will have on this server. */
  readonly name: string
  readonly kind: PresetKind
  readonly target: Preset | undefined
  /** Empty if the preset is skipped. */
  readonly tools: readonly PlannedTool[]
}

export interface PlannedServer {
  readonly serverKey: string
  readonly serverId: string | undefined
  readonly discovery: Discovery | undefined
  /** The names of its tools that the import needs. */
  readonly tools: readonly string[]
}

export interface ImportPlan {
  readonly presets: readonly PlannedPreset[]
  readonly servers: readonly PlannedServer[]
  readonly problems: readonly PlanProblem[]
  readonly warnings: readonly PlanProblem[]
}
