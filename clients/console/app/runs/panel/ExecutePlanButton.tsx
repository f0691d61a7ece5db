/** Executes the plan of a run, once the plan has a text. A plan receives the answer of its run after the run has ended. */
import { graphql } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { isExecutable } from '../../work/plans/isExecutable.ts'

const planQuery = graphql('query ($id: ID!) { plan(id: $id) { status } }')

interface ExecutePlanButtonProps {
  readonly planId: string
  readonly isBusy: boolean
  onClick(): void
}

export function ExecutePlanButton({ planId, isBusy, onClick }: ExecutePlanButtonProps) {
  const { data, refresh } = useQuery(planQuery, { id: planId })
  useOnActorTransition(planId, refresh)
  if (!data?.plan || !isExecutable(data.plan)) return null
  return (
    <ActionButton look="primary" isBusy={isBusy} onClick={onClick}>
      {messages.run.actions.executePlan}
    </ActionButton>
  )
}
