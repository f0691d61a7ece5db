/** One external server: its status, its address, and its tools. */
import { useState } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useRequest } from '../state/requestStore.ts'
import { McpServerTools } from './McpServerTools.tsx'
import { type McpServer, refreshMutation } from './mcpServer.ts'

const texts = messages.tools.servers
const { edit, delete: deleteText, actionOn } = messages.tools

interface McpServerCardProps {
  readonly server: McpServer
  /** Called after a refresh, whatever its result. */
  onRefreshed(): void
  onOpen(dialog: 'edit' | 'headers' | 'enable' | 'disable' | 'delete'): void
}

const severities: Readonly<Record<string, string>> = { UNREACHABLE: 'CRITICAL', DEGRADED: 'HIGH' }

export function McpServerCard({ server, onRefreshed, onOpen }: McpServerCardProps) {
  const { id, name, status, enabled, catalogPrefix, url, transport, headerNames, toolCount, discoveredAt } = server
  const { problem, retryAt } = server
  const [showsTools, setShowsTools] = useState(false)
  const { status: checkStatus, error, send } = useRequest()
  const isChecking = checkStatus === 'pending'
  const toolsButton = showsTools ? texts.hideTools : texts.showTools
  const checkButton = isChecking ? texts.checking : texts.checkNow
  const enableButton = enabled ? texts.disableButton : texts.enableButton
  const checkNow = () => void send(requestGraphql(refreshMutation, { id })).then(onRefreshed)
  return (
    <li data-severity={enabled ? severities[status] : undefined}>
      <a class="item-name" href={`/actors/${id}`}>
        {name}
      </a>
      <span class="status-badges">
        {!enabled && <StatusBadge status="DISABLED" />}
        <StatusBadge status={status} />
      </span>
      <p class="path">{url}</p>
      <p class="hint">
        {texts.transports[transport]}
        {catalogPrefix !== null && ` · ${format(texts.prefix, { prefix: catalogPrefix })}`}
        {` · ${headerNames.length === 0 ? texts.noHeaders : format(texts.headerNames, { names: headerNames.join(', ') })}`}
        {toolCount !== null && discoveredAt !== null && (
          <>
            {' · '}
            {formatParts(texts.listedTools, { count: toolCount, time: <RelativeTime at={discoveredAt} /> })}
          </>
        )}
      </p>
      {problem && (
        <p class="problem">
          {problem.message} <RelativeTime at={problem.at} />
        </p>
      )}
      {retryAt !== null && <p class="hint">{formatParts(texts.paused, { time: <RelativeTime at={retryAt} /> })}</p>}
      {error && <ErrorMessage error={error} />}
      <div class="card-actions">
        <button
          type="button"
          class="quiet"
          aria-expanded={showsTools}
          aria-label={format(actionOn, { action: toolsButton, name })}
          onClick={() => setShowsTools(!showsTools)}
        >
          {toolsButton}
        </button>
        <button
          type="button"
          class="quiet"
          aria-busy={isChecking}
          // The button keeps the focus during the request.
          aria-disabled={isChecking || !enabled}
          aria-label={format(actionOn, { action: checkButton, name })}
          title={enabled ? undefined : texts.disabledHint}
          onClick={() => !isChecking && enabled && checkNow()}
        >
          {checkButton}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={format(actionOn, { action: edit, name })}
          onClick={() => onOpen('edit')}
        >
          {edit}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={format(actionOn, { action: texts.headersButton, name })}
          onClick={() => onOpen('headers')}
        >
          {texts.headersButton}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={format(actionOn, { action: enableButton, name })}
          onClick={() => onOpen(enabled ? 'disable' : 'enable')}
        >
          {enableButton}
        </button>
        <button
          type="button"
          class="danger"
          aria-label={format(actionOn, { action: deleteText, name })}
          onClick={() => onOpen('delete')}
        >
          {deleteText}
        </button>
      </div>
      {showsTools && <McpServerTools server={server} />}
    </li>
  )
}
