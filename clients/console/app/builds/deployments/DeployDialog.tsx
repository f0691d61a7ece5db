/** Deploys a build: the machine, the place on it, and the file. */
import { useMemo, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { navigate } from '../../router.ts'
import type { Build } from '../build.ts'
import { DestinationFields } from './DestinationFields.tsx'
import { runBuildMutation } from './deployment.ts'
import { readDeployForm } from './readDeployForm.ts'

const texts = messages.deployments

const agentsQuery = graphql(
  'query ($buildId: ID!) { buildRunAgents(buildId: $buildId) { agentId name eligible problem hasBuilt } }',
)

interface DeployDialogProps {
  readonly build: Build
  onClose(): void
}

export function DeployDialog({ build, onClose }: DeployDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const { data, error } = useQuery(agentsQuery, { buildId: build.id })
  const [chosen, choose] = useState<string>()
  const [isReady, setReady] = useState(false)
  const agents = data?.buildRunAgents
  const agentId = chosen ?? (agents?.find(({ eligible }) => eligible) ?? agents?.[0])?.agentId
  return (
    <ConfirmDialog
      title={format(texts.deployTitle, { name: `${build.name} ${build.displayNumber}` })}
      confirmLabel={texts.deploy}
      isReady={isReady}
      onClose={onClose}
      onConfirm={async (formData) => {
        const request = { buildId: build.id, ...readDeployForm(formData) }
        const { runBuild } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(runBuildMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/deployments/${runBuild.deployment.id}`)
      }}
    >
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <div class="field">
        <label for="field-targetAgentId">{texts.machine}</label>
        <select
          id="field-targetAgentId"
          name="targetAgentId"
          value={agentId ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {agents?.map(({ agentId: id, name, problem, hasBuilt }) => {
            const label = hasBuilt ? format(texts.machineThatBuilt, { name }) : name
            return (
              <option key={id} value={id}>
                {problem === null ? label : format(texts.withProblem, { name: label, problem })}
              </option>
            )
          })}
        </select>
      </div>
      {agentId !== undefined && (
        <DestinationFields key={agentId} buildId={build.id} agentId={agentId} onReady={setReady} />
      )}
    </ConfirmDialog>
  )
}
