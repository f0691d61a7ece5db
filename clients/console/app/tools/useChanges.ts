/** Calls back with each step that any actor of a kind takes: what was asked of them is old. */
import { useEffect } from 'preact/hooks'
import { follow, returns } from '../data/live.ts'

const query = 'subscription ($kind: ActorKind!) { actorTransitioned(kind: $kind) { sequence } }'

export function useChanges(kind: string, changed: () => void): void {
  const returned = returns.value
  // What is asked when the line has come back has all that was missed.
  useEffect(() => follow(query, { kind }, changed), [kind, changed, returned])
}
