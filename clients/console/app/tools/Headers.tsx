/** The headers for an external server. They are entered here and never shown. */
import { useState } from 'preact/hooks'
import { ask, Refusal } from '../data/ask.ts'
import { Asking } from '../parts/Asking.tsx'
import type { Server } from './server.ts'

const mutation =
  'mutation ($input: SetMcpServerHeadersInput!) { setMcpServerHeaders(input: $input) { mcpServer { id } } }'

/** The maximum number of headers of a server. */
const most = 10

export function Headers({ server, close }: { readonly server: Server; close(): void }) {
  const [rows, setRows] = useState(1)
  return (
    <Asking
      title={`Headers: ${server.name}`}
      yes="Write them"
      close={close}
      doIt={async (given) => {
        const values = given.getAll('value').map(String)
        const set = given
          .getAll('name')
          .map((name, index) => ({ name: String(name).trim(), value: values[index] ?? '' }))
          .filter(({ name, value }) => name !== '' || value !== '')
        const remove = given.getAll('remove').map(String)
        if (set.length + remove.length === 0)
          throw new Refusal('BAD_USER_INPUT', 'Give a name and a value, or choose what is sent no more.')
        await ask(mutation, { input: { serverId: server.id, set, remove } })
      }}
    >
      <p>
        They go with every request to <span class="path">{new URL(server.url).origin}</span> and nowhere else. Values
        are sealed. A name that is sent now gets the new value.
      </p>
      {server.headerNames.length > 0 && (
        <fieldset>
          <legend>Sent now</legend>
          {server.headerNames.map((name) => (
            <label key={name} class="choice">
              <input type="checkbox" name="remove" value={name} />
              <span>
                <code>{name}</code> <span class="hint">send it no more</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="tool-pair">
          <div class="field">
            <label for={`header-name-${index}`}>Name</label>
            <input
              id={`header-name-${index}`}
              name="name"
              maxLength={100}
              autoComplete="off"
              spellcheck={false}
              placeholder={index === 0 ? 'Authorization' : undefined}
            />
          </div>
          <div class="field">
            <label for={`header-value-${index}`}>
              Value <span class="hint">is never shown</span>
            </label>
            <input id={`header-value-${index}`} name="value" type="password" maxLength={4_096} autoComplete="off" />
          </div>
        </div>
      ))}
      {rows < most && (
        <button type="button" class="quiet" onClick={() => setRows(rows + 1)}>
          One more
        </button>
      )}
    </Asking>
  )
}
