/** A branch compared with its upstream. */
import type { EnumValue } from '../data/graphql.ts'
import { format, messages } from '../messages.ts'

const texts = messages.repositories

interface SyncStateProps {
  readonly codebase: {
    readonly syncState: EnumValue<'SyncState'>
    readonly ahead: number | null
    readonly behind: number | null
    readonly statusError: string | null
  }
}

export function SyncState({ codebase: { syncState, ahead, behind, statusError } }: SyncStateProps) {
  if (statusError) return <span class="problem">{statusError}</span>
  const counts = [
    ahead ? format(texts.ahead, { count: ahead }) : '',
    behind ? format(texts.behind, { count: behind }) : '',
  ].filter(Boolean)
  return <span class="hint">{counts.length > 0 ? counts.join(', ') : texts.sync[syncState]}</span>
}
