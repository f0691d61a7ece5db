/** The filters of the audit. They are in the address, so that a link shows the same list. */
import { type EnumValue, graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { InstantFilter } from '../parts/lists/InstantFilter.tsx'
import { readInstant } from '../parts/lists/readInstant.ts'
import { setFilters, useFilters } from '../router.ts'
import type { ToolCallFilter } from './useToolCalls.ts'

const texts = messages.tools.calls.filters

type Outcome = EnumValue<'McpToolCallOutcome'>

const outcomes: readonly Outcome[] = ['SUCCESS', 'TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR', 'CANCELED']
const failures: readonly Outcome[] = ['TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR']

const serversQuery = graphql('{ mcpServers(first: 100) { totalCount nodes { id name } } }')

const toolField = { name: 'tool', label: texts.tool, hint: texts.toolHint } as const
const textFields = [
  { name: 'caller', label: texts.caller, hint: texts.callerHint },
  { name: 'scope', label: texts.scope, hint: texts.scopeHint },
  { name: 'request', label: texts.request, hint: 'x-request-id' },
] as const

const timeFields = [
  { name: 'from', label: texts.from },
  { name: 'to', label: texts.to },
] as const

export function AuditFilters() {
  const { data } = useQuery(serversQuery, {})
  const parameters = useFilters()
  const servers = data?.mcpServers.nodes ?? []
  const unlistedCount = (data?.mcpServers.totalCount ?? 0) - servers.length
  const { server = '' } = parameters
  return (
    <search class="filters audit-filters">
      <label>
        {texts.outcome}
        <select
          value={parameters.outcome ?? ''}
          onChange={({ currentTarget }) => setFilters({ outcome: currentTarget.value })}
        >
          <option value="">{texts.any}</option>
          <option value="failed">{texts.failed}</option>
          {outcomes.map((choice) => (
            <option key={choice} value={choice}>
              {formatName(choice)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.server}
        <select value={server} onChange={({ currentTarget }) => setFilters({ server: currentTarget.value })}>
          <option value="">{texts.any}</option>
          {servers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {unlistedCount > 0 && <option disabled>{format(texts.olderServers, { count: unlistedCount })}</option>}
          {server !== '' && !servers.some(({ id }) => id === server) && <option value={server}>{server}</option>}
        </select>
      </label>
      <TextFilter {...toolField} parameters={parameters} />
      <details open={[...textFields, ...timeFields].some(({ name }) => parameters[name] !== undefined)}>
        <summary>{texts.more}</summary>
        <div class="filters">
          {textFields.map((field) => (
            <TextFilter key={field.name} {...field} parameters={parameters} />
          ))}
          {timeFields.map(({ name, label }) => (
            <InstantFilter key={name} name={name} label={label} at={readInstant(parameters[name])} />
          ))}
        </div>
      </details>
      {hasFilters(readCallFilter(parameters)) && (
        <a class="quiet" href="/tools/audit">
          {messages.parts.filters.clear}
        </a>
      )}
    </search>
  )
}

interface TextFilterProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly parameters: Readonly<Record<string, string>>
}

function TextFilter({ name, label, hint, parameters }: TextFilterProps) {
  return (
    <label>
      {label}
      <input
        type="search"
        placeholder={hint}
        spellcheck={false}
        value={parameters[name] ?? ''}
        // A part of an ID matches nothing, so the list is read when the input is complete.
        onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value.trim() })}
      />
    </label>
  )
}

/** Converts the parameters of the address to the API's filter. */
export function readCallFilter(parameters: Readonly<Record<string, string>>): ToolCallFilter {
  return {
    caller: parameters.caller ?? null,
    tool: parameters.tool ?? null,
    scopeId: parameters.scope ?? null,
    serverId: parameters.server ?? null,
    requestId: parameters.request ?? null,
    outcomes: readOutcomes(parameters.outcome),
    from: readInstant(parameters.from),
    to: readInstant(parameters.to),
  }
}

function readOutcomes(outcome: string | undefined): readonly Outcome[] | null {
  if (outcome === 'failed') return failures
  const known = outcomes.find((candidate) => candidate === outcome)
  return known === undefined ? null : [known]
}

export function hasFilters(filter: ToolCallFilter): boolean {
  return Object.values(filter).some((value) => value !== null)
}
