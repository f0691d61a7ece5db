/** Something changed: raised with each step of a kind, whoever caused it. */
import { useEffect } from 'preact/hooks'
import { follow, returns } from './live.ts'

const query = 'subscription ($kind: ActorKind!) { actorTransitioned(kind: $kind) { sequence } }'

export function useSteps(kind: string, changed: () => void): void {
  const returned = returns.value
  useEffect(() => follow(query, { kind }, changed), [kind, changed, returned])
}
