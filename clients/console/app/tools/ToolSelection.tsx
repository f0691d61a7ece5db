/** Selects the tools of a preset from all available tools. */
import { useState } from 'preact/hooks'
import { format, messages } from '../messages.ts'
import { Loading } from '../parts/notices/Loading.tsx'
import { getToolKey, type PresetTool } from './preset.ts'
import type { CatalogTool } from './serverListingsStore.ts'
import { checkAvailability, type ToolCatalog, type ToolGroup } from './useToolCatalog.ts'

const texts = messages.tools.toolSelection

interface ToolSelectionProps {
  /** In the order of the list. */
  readonly tools: readonly PresetTool[]
  readonly catalog: ToolCatalog
  onChange(tools: readonly PresetTool[]): void
}

export function ToolSelection({ tools, catalog, onChange }: ToolSelectionProps) {
  const [searchText, setSearchText] = useState('')
  const [onlySelected, setOnlySelected] = useState(false)
  const selectedKeys = new Set(tools.map(getToolKey))
  const select = (changed: readonly PresetTool[], isSelected: boolean) => {
    const keys = new Set(changed.map(getToolKey))
    onChange(
      isSelected
        ? [...tools, ...changed.filter((tool) => !selectedKeys.has(getToolKey(tool)))]
        : tools.filter((tool) => !keys.has(getToolKey(tool))),
    )
  }
  const isVisible = (group: ToolGroup, { name, title }: CatalogTool) =>
    (!onlySelected || selectedKeys.has(getToolKey({ serverId: group.serverId, name }))) &&
    `${group.title} ${name} ${title ?? ''}`.toLowerCase().includes(searchText.toLowerCase())
  const groups = catalog.groups.map((group) => ({
    group,
    shown: group.tools?.filter((tool) => isVisible(group, tool)) ?? [],
  }))
  const unavailable = tools.filter((tool) => checkAvailability(tool, catalog).status !== 'available')
  const removed = unavailable.filter((tool) => checkAvailability(tool, catalog).status === 'removed')
  return (
    <div class="tool-selection">
      <search class="filters">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={searchText}
          onInput={({ currentTarget }) => setSearchText(currentTarget.value)}
          // Enter searches. It does not submit the form around the field.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </search>
      <label class="select-all">
        <input
          type="checkbox"
          checked={onlySelected}
          onChange={({ currentTarget }) => setOnlySelected(currentTarget.checked)}
        />
        {texts.onlySelected}
      </label>
      <p class="hint" role="status">
        {format(texts.selected, { count: tools.length })}
      </p>
      <div class="tool-groups">
        {catalog.groups.length === 0 && <Loading />}
        {unavailable.length > 0 && (
          <fieldset>
            <legend>{texts.notFound}</legend>
            {removed.length > 0 && (
              <p class="problem">
                {texts.missingHint}{' '}
                <button type="button" class="quiet" onClick={() => select(removed, false)}>
                  {format(texts.removeMissing, { count: removed.length })}
                </button>
              </p>
            )}
            {unavailable.map((tool) => (
              <ToolCheckbox
                key={getToolKey(tool)}
                name={tool.name}
                description={checkAvailability(tool, catalog).reason}
                checked
                onChange={(isSelected) => select([tool], isSelected)}
              />
            ))}
          </fieldset>
        )}
        {groups.map(({ group, shown }) => {
          const { title, serverId, problem } = group
          const references = shown.map(
            ({ name }): PresetTool => ({
              source: serverId === null ? 'BUILTIN' : 'EXTERNAL',
              name,
              serverId,
              serverName: serverId === null ? null : title,
            }),
          )
          const areAllSelected = references.every((tool) => selectedKeys.has(getToolKey(tool)))
          if (
            shown.length === 0 &&
            (onlySelected || searchText !== '' || (group.tools !== undefined && serverId === null))
          )
            return null
          return (
            <fieldset key={serverId ?? title}>
              <legend>
                {title} {serverId !== null && <span class="hint">{texts.externalServer}</span>}
              </legend>
              {problem && <p class="hint">{format(messages.tools.toolsUnavailable, { problem: problem.message })}</p>}
              {group.tools === undefined && !problem && <Loading />}
              {group.tools?.length === 0 && <p class="hint">{messages.tools.serverHasNoTools}</p>}
              {shown.length > 1 && (
                <ToolCheckbox
                  name={format(texts.all, { count: shown.length })}
                  description={title}
                  checked={areAllSelected}
                  onChange={(isSelected) => select(references, isSelected)}
                />
              )}
              {shown.map(({ name, title: toolTitle }, index) => (
                <ToolCheckbox
                  key={name}
                  name={name}
                  description={toolTitle ?? ''}
                  checked={selectedKeys.has(getToolKey({ serverId, name }))}
                  onChange={(isSelected) => select(references.slice(index, index + 1), isSelected)}
                />
              ))}
            </fieldset>
          )
        })}
      </div>
    </div>
  )
}

interface ToolCheckboxProps {
  readonly name: string
  readonly description: string
  readonly checked: boolean
  onChange(isSelected: boolean): void
}

function ToolCheckbox({ name, description, checked, onChange }: ToolCheckboxProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>
        <code>{name}</code> <span class="hint">{description}</span>
      </span>
    </label>
  )
}
