/** The tools of an external server, read on demand. */
import { useEffect } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import type { McpServer } from './mcpServer.ts'

const texts = messages.tools.servers

const toolsQuery = graphql(`query ($serverId: ID!) { mcpServerTools(serverId: $serverId) {
  problem { message } tools { name alias title description } leftOut { name reason }
} }`)

export function McpServerTools({
  server: { id, name: server, enabled, toolCount, discoveredAt },
}: {
  readonly server: McpServer
}) {
  const { data, error, refresh } = useQuery(toolsQuery, { serverId: id })
  // The tools were read again by the server.
  useEffect(refresh, [enabled, toolCount, discoveredAt])
  if (data === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  const { problem, tools, leftOut } = data.mcpServerTools
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="listing" aria-label={format(texts.toolsOf, { server })} tabIndex={0}>
      <ul>
        {problem && <li class="problem">{format(messages.tools.toolsUnavailable, { problem: problem.message })}</li>}
        {!problem && tools.length === 0 && <li class="hint">{messages.tools.serverHasNoTools}</li>}
        {tools.map(({ name, alias, title, description }) => (
          <li key={name}>
            <code>{name}</code> {title}
            {description && <p class="hint">{description}</p>}
            <p class="hint">{formatParts(texts.alias, { alias: <code class="path">{alias}</code> })}</p>
          </li>
        ))}
        {leftOut.map(({ name, reason }) => (
          <li key={`left ${name}`} class="hint">
            {name === null
              ? format(texts.othersOmitted, { reason })
              : formatParts(texts.omitted, { tool: <code>{name}</code>, reason })}
          </li>
        ))}
      </ul>
    </section>
  )
}
