/** The tools of an external server, read on demand. */
import { useEffect } from 'preact/hooks'
import { useQuery } from '../data/useQuery.ts'
import { Loading, Refused } from '../parts/Notice.tsx'
import type { Server } from './server.ts'

interface Listing {
  readonly problem: { readonly message: string } | null
  readonly tools: readonly {
    readonly name: string
    readonly alias: string
    readonly title: string | null
    readonly description: string | null
  }[]
  readonly leftOut: readonly { readonly name: string | null; readonly reason: string }[]
}

const query = `query ($serverId: ID!) { mcpServerTools(serverId: $serverId) {
  problem { message } tools { name alias title description } leftOut { name reason }
} }`

export function ServerTools({
  server: { id, name: server, enabled, toolCount, discoveredAt },
}: {
  readonly server: Server
}) {
  const { data, refusal, refresh } = useQuery<{ mcpServerTools: Listing }>(query, { serverId: id })
  // The tools were read again by the server.
  useEffect(refresh, [enabled, toolCount, discoveredAt])
  if (data === undefined) return refusal ? <Refused refusal={refusal} byItself /> : <Loading what="its tools" />
  const { problem, tools, leftOut } = data.mcpServerTools
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="listing" aria-label={`Tools of ${server}`} tabIndex={0}>
      <ul>
        {problem && <li class="problem">Its tools are not known: {problem.message}</li>}
        {!problem && tools.length === 0 && <li class="hint">It has no tools.</li>}
        {tools.map(({ name, alias, title, description }) => (
          <li key={name}>
            <code>{name}</code> {title}
            {description && <p class="hint">{description}</p>}
            <p class="hint">
              called here <code class="path">{alias}</code>
            </p>
          </li>
        ))}
        {leftOut.map(({ name, reason }) => (
          <li key={`left ${name}`} class="hint">
            {name === null ? 'The rest' : <code>{name}</code>} is left out: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
