/** An external server is added, or changed: its name, where it is, and how it is spoken with. */
import { ask } from '../data/ask.ts'
import { Asking } from '../parts/Asking.tsx'
import { askedNow, type Server, transports } from './server.ts'

const added = 'mutation ($input: CreateMcpServerInput!) { createMcpServer(input: $input) { mcpServer { id } } }'
const changed = 'mutation ($input: UpdateMcpServerInput!) { updateMcpServer(input: $input) { mcpServer { id } } }'

export function ServerForm({
  server,
  close,
}: {
  /** Undefined where one is added. */ readonly server?: Server
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
          // Whoever adds it wants to know whether it answers. If it does not, its card says why.
          ask(askedNow, { id: createMcpServer.mcpServer.id }).catch(() => {})
          return
        }
        // Only what is another by now, so that nobody else's change is undone.
        const other = Object.entries(fields).filter(([name, value]) => value !== server[name as keyof typeof fields])
        if (other.length > 0) await ask(changed, { input: { serverId: server.id, ...Object.fromEntries(other) } })
      }}
    >
      <div class="field">
        <label for="server-name">Name</label>
        <input
          id="server-name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          defaultValue={server?.name ?? ''}
        />
      </div>
      <div class="field">
        <label for="server-url">
          URL <span class="hint">everybody sees it; credentials go into headers</span>
        </label>
        <input
          id="server-url"
          name="url"
          type="url"
          required
          maxLength={2_000}
          autoComplete="off"
          placeholder="https://example.com/mcp"
          defaultValue={server?.url ?? ''}
        />
      </div>
      <div class="tool-pair">
        <div class="field">
          <label for="server-transport">Spoken with by</label>
          <select id="server-transport" name="transport">
            {Object.entries(transports).map(([transport, words]) => (
              <option key={transport} value={transport} selected={transport === server?.transport}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="server-prefix">
            Prefix <span class="hint">of its tools’ titles</span>
          </label>
          <input
            id="server-prefix"
            name="catalogPrefix"
            maxLength={40}
            autoComplete="off"
            defaultValue={server?.catalogPrefix ?? ''}
          />
        </div>
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
