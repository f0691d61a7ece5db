/** The external MCP servers: their status, their problems, and their actions. */
import { type GraphqlDocument, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { McpServerCard } from './McpServerCard.tsx'
import { McpServerDialog } from './McpServerDialog.tsx'
import { McpServerHeadersDialog } from './McpServerHeadersDialog.tsx'
import { type McpServer, serversQuery } from './mcpServer.ts'

const texts = messages.tools.servers

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
        <p class="lead">{texts.lead}</p>
        <button ref={addButton} type="button" class="quiet" onClick={() => dialogs.open({ dialog: 'add' })}>
          {texts.add}
        </button>
      </div>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {servers === undefined && !error && <Loading />}
      {servers?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{texts.noneHint}</p>
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
          {format(texts.newest, { shown: data.mcpServers.nodes.length, count: data.mcpServers.totalCount })}
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

const serverActions: Readonly<Record<ServerAction, GraphqlDocument<unknown, { id: string }>>> = {
  enable: graphql('mutation ($id: ID!) { enableMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
  disable: graphql('mutation ($id: ID!) { disableMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
  delete: graphql('mutation ($id: ID!) { deleteMcpServer(input: { serverId: $id }) { mcpServer { id } } }'),
}

interface McpServerActionDialogProps {
  readonly server: McpServer
  readonly action: ServerAction
  onClose(): void
}

function McpServerActionDialog({ server, action, onClose }: McpServerActionDialogProps) {
  const { title, description } = texts[action]
  return (
    <ConfirmDialog
      title={format(messages.tools.actionOn, { action: title, name: server.name })}
      confirmLabel={title}
      look={action === 'delete' ? 'danger' : 'primary'}
      onClose={onClose}
      onConfirm={async () => {
        await requestGraphql(serverActions[action], { id: server.id })
      }}
    >
      <p>{description}</p>
    </ConfirmDialog>
  )
}
