/** The actions on a machine, and the dialog that confirms them. */
import { type GraphqlDocument, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { performMutation } from '../operators/operatorActionInput.ts'
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

const sequenceQuery = graphql('query ($id: ID!) { actor(id: $id) { sequence } }')

interface AgentActionDialogProps {
  readonly agent: { readonly id: string; readonly name: string }
  readonly action: AgentAction
  onClose(): void
}

export function AgentActionDialog({ agent: { id, name }, action, onClose }: AgentActionDialogProps) {
  const { title, description } = texts[action]
  const isDangerous = action === 'lost' || action === 'revoke'
  return (
    <ConfirmDialog
      title={`${title}: ${name}`}
      confirmLabel={title}
      onClose={onClose}
      {...(isDangerous ? { look: 'danger', cancelLabel: texts.keep } : {})}
      onConfirm={async (formData) => {
        const reason = readReason(formData)
        if (action === 'lost') await markAsLost(id, reason ?? '')
        else await requestGraphql(mutations[action], { id, reason })
      }}
    >
      <p>{description}</p>
      <ReasonField required={action === 'lost'} />
    </ConfirmDialog>
  )
}

/** An operator action. @throws ApiError CONFLICT if the machine changes between the two requests */
async function markAsLost(id: string, reason: string): Promise<void> {
  const { actor } = await requestGraphql(sequenceQuery, { id })
  const action = { sendEvent: { event: 'lost' } }
  await requestGraphql(performMutation, { input: { id, action, expectedSequence: actor?.sequence ?? 0, reason } })
}
