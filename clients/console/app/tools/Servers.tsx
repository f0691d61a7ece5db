/** The external MCP servers: their status, their problems, and their actions. */
import { useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Asking } from '../parts/Asking.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { useHeld } from '../parts/useHeld.ts'
import { Headers } from './Headers.tsx'
import { ServerCard } from './ServerCard.tsx'
import { ServerForm } from './ServerForm.tsx'
import { type Server, serverFields } from './server.ts'

const query = `{ mcpServers(first: 100) { totalCount nodes { ${serverFields} } } }`

type Open =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'headers' | keyof typeof changes; readonly server: Server }

export function Servers() {
  const { data, refusal, refresh } = useQuery<{ mcpServers: { totalCount: number; nodes: readonly Server[] } }>(query)
  useSteps('MCP_SERVER', refresh)
  const [open, setOpen] = useState<Open>()
  const add = useHeld<HTMLButtonElement>()
  const servers = data?.mcpServers.nodes
  const close = () => {
    setOpen(undefined)
    refresh()
  }
  return (
    <>
      <div class="top">
        <p class="lead">
          Tools of other MCP servers, which presets may select. A server is asked only when somebody needs it.
        </p>
        <button ref={add} type="button" class="quiet" onClick={() => setOpen({ what: 'add' })}>
          Add a server
        </button>
      </div>
      {refusal && <Refused refusal={refusal} byItself />}
      {servers === undefined && !refusal && <Loading what="the servers" />}
      {servers?.length === 0 && (
        <Empty title="No external server yet">
          <p>Add one by its URL. Its tools can then be chosen for presets.</p>
        </Empty>
      )}
      <ul class="cards servers">
        {servers?.map((server) => (
          <ServerCard key={server.id} server={server} asked={refresh} open={(what) => setOpen({ what, server })} />
        ))}
      </ul>
      {data && data.mcpServers.totalCount > data.mcpServers.nodes.length && (
        <p class="hint">
          {data.mcpServers.totalCount} in all; the newest {data.mcpServers.nodes.length} are shown.
        </p>
      )}
      {open?.what === 'add' && <ServerForm close={close} />}
      {open?.what === 'change' && <ServerForm server={open.server} close={close} />}
      {open?.what === 'headers' && <Headers server={open.server} close={close} />}
      {open && open.what in changes && 'server' in open && (
        <Change server={open.server} how={open.what as keyof typeof changes} close={close} />
      )}
    </>
  )
}

const changes = {
  enable: {
    title: 'Enable',
    says: 'Its tools are listed and called again.',
    mutation: 'mutation ($id: ID!) { enableMcpServer(input: { serverId: $id }) { mcpServer { id } } }',
  },
  disable: {
    title: 'Disable',
    says: 'Its tools are not listed and not called until it is enabled. Presets and runs keep them.',
    mutation: 'mutation ($id: ID!) { disableMcpServer(input: { serverId: $id }) { mcpServer { id } } }',
  },
  delete: {
    title: 'Delete',
    says: 'It ends, and so do its headers. Presets that select its tools keep their entries, which lead nowhere. It can’t be undone: added anew, it is another server.',
    mutation: 'mutation ($id: ID!) { deleteMcpServer(input: { serverId: $id }) { mcpServer { id } } }',
  },
} as const

interface ChangeProps {
  readonly server: Server
  readonly how: keyof typeof changes
  close(): void
}

function Change({ server, how, close }: ChangeProps) {
  const { title, says, mutation } = changes[how]
  return (
    <Asking title={`${title}: ${server.name}`} yes={title} close={close} doIt={() => ask(mutation, { id: server.id })}>
      <p>{says}</p>
    </Asking>
  )
}
