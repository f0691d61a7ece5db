/** The places on a machine to which a build can be deployed, and the files that one of them can use. */
import { useEffect, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { describeDestination } from './deployment.ts'
import { toDestinationValue } from './readDeployForm.ts'

const texts = messages.deployments
/** Devices are connected while the dialog is open. */
const againMs = 10_000

const destinationsQuery = graphql(`query ($buildId: ID!, $agentId: ID!) {
  inspectBuildRunDestinations(buildId: $buildId, agentId: $agentId) {
    destinations { kind id name problem needsArtifact artifactIds }
  }
  buildArtifacts(buildId: $buildId, first: 100) { nodes { id path } }
}`)

interface DestinationFieldsProps {
  readonly buildId: string
  readonly agentId: string
  onReady(isReady: boolean): void
}

export function DestinationFields({ buildId, agentId, onReady }: DestinationFieldsProps) {
  const { data, error } = useQuery(destinationsQuery, { buildId, agentId }, { everyMs: againMs })
  const [chosen, choose] = useState<string>()
  const all = data?.inspectBuildRunDestinations.destinations
  const usable = all?.filter(({ problem }) => problem === null) ?? []
  const destination = usable.find((one) => toDestinationValue(one) === chosen) ?? usable[0]
  const isReady = destination !== undefined
  useEffect(() => onReady(isReady), [isReady])
  const paths = new Map(data?.buildArtifacts.nodes.map(({ id, path }) => [id, path]))
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <div class="field">
        <label for="field-destination">{texts.destination}</label>
        <select
          id="field-destination"
          name="destination"
          value={destination && toDestinationValue(destination)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {all?.map((one) => {
            const label = describeDestination(one)
            return (
              <option key={toDestinationValue(one)} value={toDestinationValue(one)} disabled={one.problem !== null}>
                {one.problem === null ? label : format(texts.withProblem, { name: label, problem: one.problem })}
              </option>
            )
          })}
        </select>
        {all !== undefined && !isReady && <p class="problem">{texts.noDestination}</p>}
        <p class="hint">{texts.devicesHint}</p>
      </div>
      {!isReady && (
        <ul class="hint">
          {all?.map((one) => (
            <li key={toDestinationValue(one)}>
              {format(texts.withProblem, { name: describeDestination(one), problem: one.problem ?? '' })}
            </li>
          ))}
        </ul>
      )}
      {destination?.needsArtifact === true && (
        <div class="field">
          <label for="field-artifactId">{texts.file}</label>
          <select id="field-artifactId" name="artifactId">
            {destination.artifactIds.map((id) => (
              <option key={id} value={id}>
                {paths.get(id) ?? id}
              </option>
            ))}
          </select>
        </div>
      )}
      {destination?.needsArtifact === false && <p class="hint">{texts.noFile}</p>}
    </>
  )
}
