/** Calls back after each transition of a kind, whatever its cause. */
import { useEffect } from 'preact/hooks'
import { follow, line, returns } from './live.ts'

const query = 'subscription ($kind: ActorKind!) { actorTransitioned(of: { kind: { kind: $kind } }) { sequence } }'

export function useSteps(kind: string, changed: () => void): void {
  const returned = returns.value
  const live = line.value === 'live'
  useEffect(() => {
    if (!live) return
    const end = follow(query, { kind }, changed)
    // A read finds changes from the time before the subscription.
    changed()
    return end
  }, [kind, changed, live, returned])
}
