/** Something changed: raised with each step of a kind, whoever caused it. */
import { useEffect } from 'preact/hooks'
import { follow, line, returns } from './live.ts'

const query = 'subscription ($kind: ActorKind!) { actorTransitioned(kind: $kind) { sequence } }'

export function useSteps(kind: string, changed: () => void): void {
  const returned = returns.value
  const live = line.value === 'live'
  useEffect(() => {
    if (!live) return
    const end = follow(query, { kind }, changed)
    // What came while nobody listened is seen by looking once more.
    changed()
    return end
  }, [kind, changed, live, returned])
}
