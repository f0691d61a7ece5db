/** Adds or changes an external server: its name, its address, and its transport. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { type McpServer, refreshMutation, transportNames } from './mcpServer.ts'

const createMutation = graphql(
  'mutation ($input: CreateMcpServerInput!) { createMcpServer(input: $input) { mcpServer { id } } }',
)
const updateMutation = graphql(
  'mutation ($input: UpdateMcpServerInput!) { updateMcpServer(input: $input) { mcpServer { id } } }',
)

export function McpServerDialog({
  server,
  onClose,
}: {
  /** Undefined for a new server. */ readonly server?: McpServer
  onClose(): void
}) {
  return (
    <ConfirmDialog
      title={server === undefined ? 'Add server' : `Edit: ${server.name}`}
      confirmLabel={server === undefined ? 'Add server' : 'Save server'}
      onClose={onClose}
      onConfirm={async (formData) => {
        const fields = readFields(formData)
        if (server === undefined) {
          const { createMcpServer } = await requestGraphql(createMutation, { input: fields })
          // Checks a new server at once. If it does not respond, its card shows the reason.
          requestGraphql(refreshMutation, { id: createMcpServer.mcpServer.id }).catch(() => {})
          return
        }
        // Sends only changed fields, so that no concurrent change is overwritten.
        const changedFields = Object.entries(fields).filter(
          ([name, value]) => value !== server[name as keyof typeof fields],
        )
        if (changedFields.length > 0)
          await requestGraphql(updateMutation, { input: { serverId: server.id, ...Object.fromEntries(changedFields) } })
      }}
    >
      <Field name="name" label="Name" maxLength={100} value={server?.name ?? ''} />
      <Field
        name="url"
        label="URL"
        hint="Visible to all users. Put credentials into headers."
        type="url"
        maxLength={2_000}
        placeholder="https://example.com/mcp"
        value={server?.url ?? ''}
      />
      <div class="tool-pair">
        <ChoiceField name="transport" label="Transport" choices={transportNames} value={server?.transport} />
        <Field
          name="catalogPrefix"
          label="Tool title prefix"
          isOptional
          maxLength={40}
          value={server?.catalogPrefix ?? ''}
        />
      </div>
      {server !== undefined && (
        <p class="hint">
          If the host, port or scheme changes, the headers are deleted. If the URL or transport changes, existing runs
          can no longer call the server.
        </p>
      )}
    </ConfirmDialog>
  )
}

function readFields(formData: FormData) {
  const text = (name: string) => String(formData.get(name) ?? '').trim()
  const prefix = text('catalogPrefix')
  return {
    name: text('name'),
    url: text('url'),
    transport: text('transport') as McpServer['transport'],
    catalogPrefix: prefix === '' ? null : prefix,
  }
}
