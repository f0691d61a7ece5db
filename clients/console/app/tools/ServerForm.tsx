/** Adds or changes an external server: its name, its address, and its transport. */
import { ask } from '../data/ask.ts'
import { Asking } from '../parts/Asking.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { askedNow, type Server, transports } from './server.ts'

const added = 'mutation ($input: CreateMcpServerInput!) { createMcpServer(input: $input) { mcpServer { id } } }'
const changed = 'mutation ($input: UpdateMcpServerInput!) { updateMcpServer(input: $input) { mcpServer { id } } }'

export function ServerForm({
  server,
  close,
}: {
  /** Undefined for a new server. */ readonly server?: Server
  close(): void
}) {
  return (
    <Asking
      title={server === undefined ? 'Add a server' : `Change: ${server.name}`}
      yes={server === undefined ? 'Add it' : 'Change it'}
      close={close}
      doIt={async (given) => {
        const fields = fieldsOf(given)
        if (server === undefined) {
          const { createMcpServer } = await ask<{ createMcpServer: { mcpServer: { id: string } } }>(added, {
            input: fields,
          })
          // Checks a new server at once. If it does not respond, its card shows the reason.
          ask(askedNow, { id: createMcpServer.mcpServer.id }).catch(() => {})
          return
        }
        // Sends only changed fields, so that no concurrent change is overwritten.
        const other = Object.entries(fields).filter(([name, value]) => value !== server[name as keyof typeof fields])
        if (other.length > 0) await ask(changed, { input: { serverId: server.id, ...Object.fromEntries(other) } })
      }}
    >
      <Field name="name" label="Name" longest={100} value={server?.name ?? ''} />
      <Field
        name="url"
        label="URL"
        hint="Everybody sees it; credentials go into headers."
        type="url"
        longest={2_000}
        placeholder="https://example.com/mcp"
        value={server?.url ?? ''}
      />
      <div class="tool-pair">
        <ChoiceField name="transport" label="Spoken with by" choices={transports} value={server?.transport} />
        <Field
          name="catalogPrefix"
          label="Prefix of its tools’ titles"
          optional
          longest={40}
          value={server?.catalogPrefix ?? ''}
        />
      </div>
      {server !== undefined && (
        <p class="hint">
          Another host, port or scheme drops its headers. Runs that were made with another URL or transport can call it
          no more.
        </p>
      )}
    </Asking>
  )
}

function fieldsOf(given: FormData) {
  const text = (name: string) => String(given.get(name) ?? '').trim()
  const prefix = text('catalogPrefix')
  return {
    name: text('name'),
    url: text('url'),
    transport: text('transport'),
    catalogPrefix: prefix === '' ? null : prefix,
  }
}
