/** One external server: its status, its address, and its tools. */
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { counted } from '../parts/counted.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Refused } from '../parts/Notice.tsx'
import { ServerTools } from './ServerTools.tsx'
import { askedNow, type Server, transports } from './server.ts'

interface ServerCardProps {
  readonly server: Server
  /** Called after a refresh, whatever its result. */
  asked(): void
  open(what: 'change' | 'headers' | 'enable' | 'disable' | 'delete'): void
}

const severities: Readonly<Record<string, string>> = { UNREACHABLE: 'CRITICAL', DEGRADED: 'HIGH' }

export function ServerCard({ server, asked, open }: ServerCardProps) {
  const { id, name, status, enabled, catalogPrefix, url, transport, headerNames, toolCount, discoveredAt } = server
  const { problem, retryAt } = server
  const [busy, setBusy] = useState(false)
  const [listed, setListed] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const askNow = () => {
    setBusy(true)
    setRefusal(undefined)
    ask(askedNow, { id })
      .catch((error: unknown) => setRefusal(refusalOf(error)))
      .finally(() => {
        setBusy(false)
        asked()
      })
  }
  return (
    <li data-severity={enabled ? severities[status] : undefined}>
      <a class="what" href={`/actors/${id}`}>
        {name}
      </a>
      <span class="lamps">
        {!enabled && <Lamp status="DISABLED" />}
        <Lamp status={status} />
      </span>
      <p class="path">{url}</p>
      <p class="hint">
        {transports[transport]}
        {catalogPrefix !== null && ` · titles begin with ${catalogPrefix}`}
        {` · ${headerNames.length === 0 ? 'no headers' : `sent with it: ${headerNames.join(', ')}`}`}
        {toolCount !== null && discoveredAt !== null && (
          <>
            {` · ${counted(toolCount, 'tool')}, found `}
            <Moment at={discoveredAt} />
          </>
        )}
      </p>
      {problem && (
        <p class="problem">
          {problem.message} <Moment at={problem.at} />
        </p>
      )}
      {retryAt !== null && (
        <p class="hint">
          It failed too often in a row and is left alone; the pause ends <Moment at={retryAt} />, or when it is asked
          now.
        </p>
      )}
      {refusal && <Refused refusal={refusal} />}
      <div class="tool-does">
        <button
          type="button"
          class="quiet"
          aria-expanded={listed}
          aria-label={`${listed ? 'Hide its tools' : 'Its tools'}: ${name}`}
          onClick={() => setListed(!listed)}
        >
          {listed ? 'Hide its tools' : 'Its tools'}
        </button>
        <button
          type="button"
          class="quiet"
          aria-busy={busy}
          // The button keeps the focus during the request.
          aria-disabled={busy || !enabled}
          aria-label={`${busy ? 'Asking …' : 'Ask it now'}: ${name}`}
          title={enabled ? undefined : 'It is disabled: enable it before its tools are looked for.'}
          onClick={() => !busy && enabled && askNow()}
        >
          {busy ? 'Asking …' : 'Ask it now'}
        </button>
        <button type="button" class="quiet" aria-label={`Change: ${name}`} onClick={() => open('change')}>
          Change
        </button>
        <button type="button" class="quiet" aria-label={`Headers: ${name}`} onClick={() => open('headers')}>
          Headers
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`${enabled ? 'Disable' : 'Enable'}: ${name}`}
          onClick={() => open(enabled ? 'disable' : 'enable')}
        >
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" class="quiet" aria-label={`Delete: ${name}`} onClick={() => open('delete')}>
          Delete
        </button>
      </div>
      {listed && <ServerTools server={server} />}
    </li>
  )
}
