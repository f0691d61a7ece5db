/** The builds that a push has requested, with the reason of each that could not be started. */
import { format, messages } from '../messages.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'

const texts = messages.integrations.deliveries

interface PushBuildsProps {
  readonly pushBuilds: readonly {
    readonly id: string
    readonly status: string
    readonly buildId: string | null
    readonly buildConfigurationId: string
    readonly buildConfiguration: { readonly name: string }
    readonly problem: { readonly message: string } | null
  }[]
  /** The number of configurations that were not built, because there were too many. */
  readonly omittedCount: number
}

export function PushBuilds({ pushBuilds, omittedCount }: PushBuildsProps) {
  if (pushBuilds.length === 0) return null
  return (
    <ul class="rows">
      {pushBuilds.map(({ id, status, buildId, buildConfigurationId, buildConfiguration, problem }) => (
        <li key={id}>
          <a
            class="item-name"
            href={buildId === null ? `/build-configurations/${buildConfigurationId}` : `/builds/${buildId}`}
          >
            {buildConfiguration.name}
          </a>
          <StatusBadge status={status} />
          {problem && <span class="hint">{problem.message}</span>}
        </li>
      ))}
      {omittedCount > 0 && <li class="hint">{format(texts.omitted, { count: omittedCount })}</li>}
    </ul>
  )
}
