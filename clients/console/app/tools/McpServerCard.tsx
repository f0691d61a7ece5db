/** One external server: its status, its address, and its tools. */
import { useState } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { formatCount } from '../parts/formatCount.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useRequest } from '../state/requestStore.ts'
import { McpServerTools } from './McpServerTools.tsx'
import { type McpServer, refreshMutation, transportNames } from './mcpServer.ts'

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
        {transportNames[transport]}
        {catalogPrefix !== null && ` · title prefix ${catalogPrefix}`}
        {` · ${headerNames.length === 0 ? 'no headers' : `headers: ${headerNames.join(', ')}`}`}
        {toolCount !== null && discoveredAt !== null && (
          <>
            {` · ${formatCount(toolCount, 'tool')}, listed `}
            <RelativeTime at={discoveredAt} />
          </>
        )}
      </p>
      {problem && (
        <p class="problem">
          {problem.message} <RelativeTime at={problem.at} />
        </p>
      )}
      {retryAt !== null && (
        <p class="hint">
          The server failed several times in a row, so requests are paused. The pause ends <RelativeTime at={retryAt} />
          , or when you check it.
        </p>
      )}
      {error && <ErrorMessage error={error} />}
      <div class="card-actions">
        <button
          type="button"
          class="quiet"
          aria-expanded={showsTools}
          aria-label={`${showsTools ? 'Hide tools' : 'Show tools'}: ${name}`}
          onClick={() => setShowsTools(!showsTools)}
        >
          {showsTools ? 'Hide tools' : 'Show tools'}
        </button>
        <button
          type="button"
          class="quiet"
          aria-busy={isChecking}
          // The button keeps the focus during the request.
          aria-disabled={isChecking || !enabled}
          aria-label={`${isChecking ? 'Checking …' : 'Check now'}: ${name}`}
          title={enabled ? undefined : 'The server is disabled. Enable it first.'}
          onClick={() => !isChecking && enabled && checkNow()}
        >
          {isChecking ? 'Checking …' : 'Check now'}
        </button>
        <button type="button" class="quiet" aria-label={`Edit: ${name}`} onClick={() => onOpen('edit')}>
          Edit
        </button>
        <button type="button" class="quiet" aria-label={`Headers: ${name}`} onClick={() => onOpen('headers')}>
          Headers
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`${enabled ? 'Disable' : 'Enable'}: ${name}`}
          onClick={() => onOpen(enabled ? 'disable' : 'enable')}
        >
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" class="quiet" aria-label={`Delete: ${name}`} onClick={() => onOpen('delete')}>
          Delete
        </button>
      </div>
      {showsTools && <McpServerTools server={server} />}
    </li>
  )
}
