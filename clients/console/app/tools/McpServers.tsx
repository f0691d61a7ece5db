/** The external MCP servers: their status, their problems, and their actions. */
import { type GraphqlDocument, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { McpServerCard } from './McpServerCard.tsx'
import { McpServerDialog } from './McpServerDialog.tsx'
import { McpServerHeadersDialog } from './McpServerHeadersDialog.tsx'
import { type McpServer, serversQuery } from './mcpServer.ts'

type OpenDialog =
  | { readonly dialog: 'add' }
  | { readonly dialog: 'edit' | 'headers' | ServerAction; readonly server: McpServer }

export function McpServers() {
  const { data, error, refresh } = useQuery(serversQuery, {})
  useOnTransition('MCP_SERVER', refresh)
  const { dialog: open, ...dialogs } = useDialog<OpenDialog>()
  const addButton = useFocusFallback<HTMLButtonElement>()
  const servers = data?.mcpServers.nodes
  const close = () => {
    dialogs.close()
    refresh()
  }
  return (
    <>
      <div class="heading-row">
        <p class="lead">The tools of other MCP servers, which presets can select. Servers are contacted on demand.</p>
        <button ref={addButton} type="button" class="quiet" onClick={() => dialogs.open({ dialog: 'add' })}>
          Add server
        </button>
      </div>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {servers === undefined && !error && <Loading />}
      {servers?.length === 0 && (
        <EmptyState title="No external servers yet">
          <p>Add a server by its URL. Presets can then select its tools.</p>
        </EmptyState>
      )}
      <ul class="cards servers">
        {servers?.map((server) => (
          <McpServerCard
            key={server.id}
            server={server}
            onRefreshed={refresh}
            onOpen={(dialog) => dialogs.open({ dialog, server })}
          />
        ))}
      </ul>
      {data && data.mcpServers.totalCount > data.mcpServers.nodes.length && (
        <p class="hint">
          The newest {data.mcpServers.nodes.length} of {data.mcpServers.totalCount} servers are shown.
        </p>
      )}
      {open?.dialog === 'add' && <McpServerDialog onClose={close} />}
      {open?.dialog === 'edit' && <McpServerDialog server={open.server} onClose={close} />}
      {open?.dialog === 'headers' && <McpServerHeadersDialog server={open.server} onClose={close} />}
      {open && open.dialog in serverActions && 'server' in open && (
        <McpServerActionDialog server={open.server} action={open.dialog as ServerAction} onClose={close} />
      )}
    </>
  )
}

type ServerAction = 'enable' | 'disable' | 'delete'

interface ServerActionTexts {
  readonly title: string
  readonly description: string
  readonly mutation: GraphqlDocument<unknown, { id: string }>
}

const serverActions: Readonly<Record<ServerAction, ServerActionTexts>> = {
  enable: {
    title: 'Enable server',
    description: 'The tools of the server can be listed and called again.',
    mutation: graphql('mutation ($id: ID!) { enableMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
  },
  disable: {
    title: 'Disable server',
    description: 'The tools of the server cannot be listed or called until it is enabled. Presets and runs keep them.',
    mutation: graphql('mutation ($id: ID!) { disableMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
  },
  delete: {
    title: 'Delete server',
    description:
      'The server and its headers are deleted. Presets that select its tools keep the entries as missing tools. This cannot be undone: a server that is added again is another server.',
    mutation: graphql('mutation ($id: ID!) { deleteMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
  },
}

interface McpServerActionDialogProps {
  readonly server: McpServer
  readonly action: ServerAction
  onClose(): void
}

function McpServerActionDialog({ server, action, onClose }: McpServerActionDialogProps) {
  const { title, description, mutation } = serverActions[action]
  return (
    <ConfirmDialog
      title={`${title}: ${server.name}`}
      confirmLabel={title}
      onClose={onClose}
      onConfirm={async () => {
        await requestGraphql(mutation, { id: server.id })
      }}
    >
      <p>{description}</p>
    </ConfirmDialog>
  )
}
