/** The answers that a run gives to permission requests without a person. */
import { randomUUID } from 'node:crypto'
import type { RequestPermissionRequest, RequestPermissionResponse, ToolKind } from '@agentclientprotocol/sdk'
import type { AiSpec } from '../jobs/spec.ts'
import { reject } from './rejection.ts'
import type { Transcript } from './transcript.ts'

type Permissions = NonNullable<AiSpec['permissions']>
type Decision = Permissions['rules'][number]['decision']

/** Tools that ALLOW_EDITS allows: they change files of the worktree, or only read. */
const edits: ReadonlySet<ToolKind> = new Set<ToolKind>(['edit', 'delete', 'move', 'read', 'search', 'think'])

export function decide({ policy, rules }: Permissions, kind: ToolKind | undefined): Decision {
  // A rule names a kind as the API does, in upper case. A tool of no kind counts as OTHER.
  const rule = rules.find((one) => one.kind === (kind ?? 'other').toUpperCase())
  if (rule) return rule.decision
  switch (policy) {
    case 'ALLOW_ALL':
      return 'ALLOW'
    case 'ALLOW_EDITS':
      return kind !== undefined && edits.has(kind) ? 'ALLOW' : 'ASK'
    case 'DENY':
      return 'DENY'
    case 'ASK':
      return 'ASK'
  }
}

/** Undefined if a person must answer. The request and the answer are recorded like those of a person. */
export function answerByPolicy(
  { toolCall, options }: RequestPermissionRequest,
  permissions: Permissions | undefined,
  transcript: Transcript,
): RequestPermissionResponse | undefined {
  if (permissions === undefined) return undefined
  const decision = decide(permissions, transcript.toolCalls.kindOf(toolCall))
  const response = decision === 'ALLOW' ? allow(options) : decision === 'DENY' ? reject(options) : undefined
  if (response === undefined) return undefined
  const questionId = randomUUID()
  const title = toolCall.title ?? 'Permission'
  transcript.event('PERMISSION_REQUEST', { questionId, kind: 'PERMISSION', title, toolCall, options })
  const { outcome } = response
  transcript.event('PERMISSION_ANSWER', {
    questionId,
    ...(outcome.outcome === 'selected' ? { optionId: outcome.optionId } : { canceled: true }),
  })
  transcript.system(`${decision === 'ALLOW' ? 'Allowed' : 'Rejected'} by the permission policy of the run: ${title}`)
  return response
}

/** Allows this request, and not later ones: each is decided by itself. Undefined if the CLI offers no such option. */
function allow(options: RequestPermissionRequest['options']): RequestPermissionResponse | undefined {
  const option =
    options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always')
  return option && { outcome: { outcome: 'selected', optionId: option.optionId } }
}
