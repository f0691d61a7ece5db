/** Adds or changes an external server: its name, its address, and its transport. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { type McpServer, refreshMutation } from './mcpServer.ts'

const texts = messages.tools.servers
const { name: nameLabel, edit, actionOn } = messages.tools

const createMutation = graphql(
  'mutation ($input: CreateMcpServerInput!) { createMcpServer(input: $input) { mcpServer { id } } }',
)
const updateMutation = graphql(
  'mutation ($input: UpdateMcpServerInput!) { updateMcpServer(input: $input) { mcpServer { id } } }',
)

const keys = createRepeatKeys()

export function McpServerDialog({
  server,
  onClose,
}: {
  /** Undefined for a new server. */ readonly server?: McpServer
  onClose(): void
}) {
  return (
    <ConfirmDialog
      title={server === undefined ? texts.add : format(actionOn, { action: edit, name: server.name })}
      confirmLabel={server === undefined ? texts.add : texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const fields = readFields(formData)
        if (server === undefined) {
          const { createMcpServer } = await keys.send(fields, (idempotencyKey) =>
            requestGraphql(createMutation, { input: { ...fields, idempotencyKey } }),
          )
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
      <Field name="name" label={nameLabel} maxLength={100} value={server?.name ?? ''} />
      <Field
        name="url"
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        maxLength={2_000}
        placeholder="https://example.com/mcp"
        value={server?.url ?? ''}
      />
      <div class="tool-pair">
        <ChoiceField name="transport" label={texts.transport} choices={texts.transports} value={server?.transport} />
        <Field
          name="catalogPrefix"
          label={texts.titlePrefix}
          isOptional
          maxLength={40}
          value={server?.catalogPrefix ?? ''}
        />
      </div>
      {server !== undefined && <p class="hint">{texts.changeHint}</p>}
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
