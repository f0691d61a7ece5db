/** The headers for an external server. They are entered here and never shown. */
import { useState } from 'preact/hooks'
import { ApiError } from '../data/apiError.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import type { McpServer } from './mcpServer.ts'

const texts = messages.tools.servers.headers

const setHeadersMutation = graphql(
  'mutation ($input: SetMcpServerHeadersInput!) { setMcpServerHeaders(input: $input) { mcpServer { id } } }',
)

/** The maximum number of headers of a server. */
const maxHeaders = 10

export function McpServerHeadersDialog({ server, onClose }: { readonly server: McpServer; onClose(): void }) {
  const [rows, setRows] = useState(1)
  return (
    <ConfirmDialog
      title={format(messages.tools.actionOn, { action: messages.tools.servers.headersButton, name: server.name })}
      confirmLabel={texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const values = formData.getAll('value').map(String)
        const set = formData
          .getAll('name')
          .map((name, index) => ({ name: String(name).trim(), value: values[index] ?? '' }))
          .filter(({ name, value }) => name !== '' || value !== '')
        const remove = formData.getAll('remove').map(String)
        if (set.length + remove.length === 0) throw new ApiError('BAD_USER_INPUT', texts.unchanged)
        await requestGraphql(setHeadersMutation, { input: { serverId: server.id, set, remove } })
      }}
    >
      <p>{formatParts(texts.description, { origin: <span class="path">{new URL(server.url).origin}</span> })}</p>
      {server.headerNames.length > 0 && (
        <fieldset>
          <legend>{texts.current}</legend>
          {server.headerNames.map((name) => (
            <label key={name} class="choice">
              <input type="checkbox" name="remove" value={name} />
              <span>
                <code>{name}</code> <span class="hint">{texts.remove}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="tool-pair">
          <div class="field">
            <label for={`header-name-${index}`}>{messages.tools.name}</label>
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
              {texts.value} <span class="hint">{texts.valueHint}</span>
            </label>
            <input id={`header-value-${index}`} name="value" type="password" maxLength={4_096} autoComplete="off" />
          </div>
        </div>
      ))}
      {rows < maxHeaders && (
        <button type="button" class="quiet" onClick={() => setRows(rows + 1)}>
          {texts.add}
        </button>
      )}
    </ConfirmDialog>
  )
}
