/** The differences between the stock CLIs. `README.md` shows them as a table, with the reasons. */
import type { RunView } from '../kit/program/runs.ts'
import type { StockCli } from './clis.ts'

export interface CliBehavior {
  readonly modes: readonly string[]
  readonly announcesToolCalls: boolean
  readonly permissionHasInput: boolean
  /** The kind of the permission request for an edit. Absent if only the preceding `tool_call` has it. */
  readonly permissionKind: 'edit' | undefined
  /** Whether the model is asked again after a rejected permission. */
  readonly continuesAfterRejection: boolean
  readonly resume: 'WORKS' | 'METHOD_NOT_FOUND'
  /** How a follow-up through Signalbox continues. Gemini cannot load a session in the minute in which it began. */
  readonly continuesBy: readonly RunView['conversation'][]
  /** Whether plan mode itself keeps the CLI from writing a file. If not, it asks for permission. */
  readonly planModeRefusesEdits: boolean
  readonly planKind: 'switch_mode' | 'other'
  /** The error of a prompt whose model request failed with 400. */
  readonly modelError: { readonly code: number; readonly message: RegExp; readonly data?: unknown }
  /** The message that has the token usage. */
  readonly usage: 'UPDATE' | 'PROMPT_RESPONSE' | 'ABSENT'
}

export const behaviors: Readonly<Record<StockCli['name'], CliBehavior>> = {
  qwen: {
    modes: ['plan', 'default', 'auto-edit', 'yolo'],
    announcesToolCalls: false,
    permissionHasInput: true,
    permissionKind: 'edit',
    continuesAfterRejection: true,
    resume: 'METHOD_NOT_FOUND',
    continuesBy: ['LOADED'],
    planModeRefusesEdits: true,
    planKind: 'switch_mode',
    modelError: { code: -32603, message: /^Internal error$/, data: { details: '400 The scripted failure.' } },
    usage: 'UPDATE',
  },
  claude: {
    // `bypassPermissions` is also offered to a user who is not root.
    modes: ['default', 'acceptEdits', 'plan', 'dontAsk'],
    announcesToolCalls: true,
    permissionHasInput: true,
    permissionKind: undefined,
    continuesAfterRejection: false,
    resume: 'WORKS',
    continuesBy: ['RESUMED'],
    planModeRefusesEdits: false,
    planKind: 'switch_mode',
    modelError: { code: -32603, message: /^Internal error: API Error: 400 \{.*"The scripted failure\."\}\}$/ },
    usage: 'ABSENT',
  },
  gemini: {
    modes: ['default', 'autoEdit', 'yolo', 'plan'],
    announcesToolCalls: false,
    permissionHasInput: false,
    permissionKind: 'edit',
    continuesAfterRejection: true,
    resume: 'METHOD_NOT_FOUND',
    continuesBy: ['LOADED', 'REPLAYED'],
    planModeRefusesEdits: true,
    planKind: 'other',
    modelError: { code: 400, message: /^\{"error":\{"code":400,"message":"The scripted failure\."/ },
    usage: 'PROMPT_RESPONSE',
  },
}
