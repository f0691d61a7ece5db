/** The filters of the audit. They are in the address, so that a link shows the same list. */
import { useQuery } from '../data/useQuery.ts'
import { nameWords } from '../parts/nameWords.ts'
import { filters, setFilters } from '../router.ts'
import type { CallFilter } from './calls.ts'

const outcomes = ['SUCCESS', 'TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR', 'CANCELED']
const failures = ['TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR']

const tool = { name: 'tool', label: 'Tool', hint: 'the whole name' } as const
const texts = [
  { name: 'caller', label: 'Who', hint: 'usr_… or key_…' },
  { name: 'scope', label: 'Preset or run', hint: 'mtp_… or run_…' },
  { name: 'request', label: 'Request ID', hint: 'x-request-id' },
] as const

const times = [
  { name: 'from', label: 'From' },
  { name: 'to', label: 'Until' },
] as const

export function AuditFilters() {
  const { data } = useQuery<{
    mcpServers: { totalCount: number; nodes: readonly { id: string; name: string }[] }
  }>('{ mcpServers(first: 100) { totalCount nodes { id name } } }')
  const given = filters.value
  const servers = data?.mcpServers.nodes ?? []
  const others = (data?.mcpServers.totalCount ?? 0) - servers.length
  const { server = '' } = given
  return (
    <search class="filters audit-filters">
      <label>
        Outcome
        <select
          value={given.outcome ?? ''}
          onChange={({ currentTarget }) => setFilters({ outcome: currentTarget.value })}
        >
          <option value="">any</option>
          <option value="failed">whatever failed</option>
          {outcomes.map((one) => (
            <option key={one} value={one}>
              {nameWords(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Server
        <select value={server} onChange={({ currentTarget }) => setFilters({ server: currentTarget.value })}>
          <option value="">any, or none</option>
          {servers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {others > 0 && <option disabled>{others} older servers are not listed</option>}
          {server !== '' && !servers.some(({ id }) => id === server) && <option value={server}>{server}</option>}
        </select>
      </label>
      <Text {...tool} given={given} />
      <details open={[...texts, ...times].some(({ name }) => given[name] !== undefined)}>
        <summary>Who, when, in what</summary>
        <div class="filters">
          {texts.map((one) => (
            <Text key={one.name} {...one} given={given} />
          ))}
          {times.map(({ name, label }) => (
            <label key={name}>
              {label}
              <input
                type="datetime-local"
                value={given[name] ?? ''}
                onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value })}
              />
            </label>
          ))}
        </div>
      </details>
      {isNarrowed(wantedOf(given)) && (
        <a class="quiet" href="/tools/audit">
          Look at all
        </a>
      )}
    </search>
  )
}

interface TextProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly given: Readonly<Record<string, string>>
}

function Text({ name, label, hint, given }: TextProps) {
  return (
    <label>
      {label}
      <input
        type="search"
        placeholder={hint}
        spellcheck={false}
        value={given[name] ?? ''}
        // A part of an ID matches nothing, so the list is read when the input is complete.
        onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value.trim() })}
      />
    </label>
  )
}

/** Converts the parameters of the address to the API's filter. */
export function wantedOf(given: Readonly<Record<string, string>>): CallFilter {
  const { outcome = '' } = given
  return {
    caller: given.caller ?? null,
    tool: given.tool ?? null,
    scopeId: given.scope ?? null,
    serverId: given.server ?? null,
    requestId: given.request ?? null,
    outcomes: outcome === '' ? null : outcome === 'failed' ? failures : [outcome],
    from: instantOf(given.from),
    to: instantOf(given.to),
  }
}

/** Converts a time in the reader's zone, as the field returns it. */
function instantOf(local: string | undefined): string | null {
  const ms = Date.parse(local ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

export function isNarrowed(wanted: CallFilter): boolean {
  return Object.values(wanted).some((value) => value !== null)
}
