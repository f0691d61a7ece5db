/** The run of a workflow as a graph of its steps, with the status of each, live. */

import { siblingId } from '../../../../../spec/core/ids.ts'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { StepGraph } from './StepGraph.tsx'

/** The definition does not change during a run, so it is read once. */
const needsQuery = graphql(
  'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { definition { steps { name needs } } } } }',
)
const stepsQuery = graphql(`query ($id: ID!) { run(id: $id) { ... on WorkflowRun {
  startedAt endedAt steps { id name title status endedAt }
} } }`)

type Run = Extract<NonNullable<ResultOf<typeof stepsQuery>['run']>, { readonly steps: unknown }>

/** Nothing if the run has no steps. */
export function WorkflowRunGraph({ runId }: { readonly runId: string }) {
  const { data: definitionData } = useQuery(needsQuery, { id: runId })
  const { data, error, refresh } = useQuery(stepsQuery, { id: runId })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  const definition =
    definitionData?.run && 'definition' in definitionData.run ? definitionData.run.definition : undefined
  if (definition === undefined || !data?.run || !('steps' in data.run) || data.run.steps.length === 0) return null
  const { steps } = data.run
  // The actors whose transitions change what is shown: the run, its execution, which creates the steps, and the steps at work.
  const needs = new Map(definition?.steps.map((step) => [step.name, step.needs]))
  return (
    <>
      {findChanging(runId, data.run).map((id) => (
        <TransitionListener key={id} id={id} onTransition={refresh} />
      ))}
      <StepGraph
        label={messages.workflows.graph}
        steps={steps.map(({ name, title, status }) => ({
          name,
          title,
          status,
          needs: needs.get(name) ?? [],
        }))}
      />
    </>
  )
}

function findChanging(runId: string, { startedAt, endedAt, steps }: Run): readonly string[] {
  if (endedAt !== null) return []
  if (startedAt === null) return [runId]
  const atWork = steps.filter((step) => step.status !== 'PENDING' && step.endedAt === null)
  return [runId, siblingId('workflowExecution', runId), ...atWork.map(({ id }) => id)]
}

function TransitionListener({ id, onTransition }: { readonly id: string; onTransition(): void }) {
  useOnActorTransition(id, onTransition)
  return null
}
