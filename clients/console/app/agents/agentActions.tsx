/** The actions on a machine, and the dialog that confirms them. */
import { type GraphqlDocument, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { OperatorActionDialog } from '../operators/OperatorActionDialog.tsx'
import type { OperatorAction } from '../operators/operatorAction.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'

const texts = messages.machines

export type AgentAction = 'drain' | 'activate' | 'lost' | 'revoke'

type AgentMutation = GraphqlDocument<unknown, { id: string; reason?: string | null }>

const mutations: Readonly<Record<Exclude<AgentAction, 'lost'>, AgentMutation>> = {
  drain: graphql(
    'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: true, reason: $reason }) { agent { id } } }',
  ),
  activate: graphql(
    'mutation ($id: ID!, $reason: String) { drainAgent(input: { agentId: $id, drain: false, reason: $reason }) { agent { id } } }',
  ),
  revoke: graphql(
    'mutation ($id: ID!, $reason: String) { revokeAgent(input: { agentId: $id, reason: $reason }) { agent { id } } }',
  ),
}

const danger = { look: 'danger', cancelLabel: texts.keep } as const

/** An operator action. */
const markAsLost: OperatorAction = {
  ...{ type: 'SEND_EVENT', label: texts.lost.title, event: 'lost', state: null, effectId: null },
  ...{ requiredIds: [], preview: null },
}

interface AgentActionDialogProps {
  readonly agent: { readonly id: string; readonly name: string }
  readonly action: AgentAction
  onClose(): void
}

export function AgentActionDialog({ agent: { id, name }, action, onClose }: AgentActionDialogProps) {
  const { title, description } = texts[action]
  const heading = `${title}: ${name}`
  if (action === 'lost')
    return (
      <OperatorActionDialog
        {...danger}
        id={id}
        title={heading}
        action={markAsLost}
        description={description}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      {...(action === 'revoke' ? danger : {})}
      title={heading}
      confirmLabel={title}
      onClose={onClose}
      onConfirm={async (formData) => {
        await requestGraphql(mutations[action], { id, reason: readReason(formData) })
      }}
    >
      <p>{description}</p>
      <ReasonField />
    </ConfirmDialog>
  )
}
