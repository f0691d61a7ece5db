/** Selects the tools of a preset from all available tools. */
import { useState } from 'preact/hooks'
import { counted } from '../parts/counted.ts'
import { Loading } from '../parts/Notice.tsx'
import { type Catalogue, type CatalogueTool, type Shelf, standingOf } from './catalogue.ts'
import { keyOf, type PresetTool } from './preset.ts'

interface ChooseProps {
  /** In the order of the list. */
  readonly tools: readonly PresetTool[]
  readonly catalogue: Catalogue
  choose(tools: readonly PresetTool[]): void
}

export function Choose({ tools, catalogue, choose }: ChooseProps) {
  const [words, setWords] = useState('')
  const [only, setOnly] = useState(false)
  const chosen = new Set(tools.map(keyOf))
  const put = (changed: readonly PresetTool[], wanted: boolean) => {
    const keys = new Set(changed.map(keyOf))
    choose(
      wanted
        ? [...tools, ...changed.filter((tool) => !chosen.has(keyOf(tool)))]
        : tools.filter((tool) => !keys.has(keyOf(tool))),
    )
  }
  const seen = (shelf: Shelf, { name, title }: CatalogueTool) =>
    (!only || chosen.has(keyOf({ serverId: shelf.serverId, name }))) &&
    `${shelf.title} ${name} ${title ?? ''}`.toLowerCase().includes(words.toLowerCase())
  const shelves = catalogue.shelves.map((shelf) => ({
    shelf,
    shown: shelf.tools?.filter((tool) => seen(shelf, tool)) ?? [],
  }))
  const astray = tools.filter((tool) => standingOf(tool, catalogue).is !== 'there')
  const gone = astray.filter((tool) => standingOf(tool, catalogue).is === 'gone')
  return (
    <div class="choose">
      <search class="filters">
        <input
          type="search"
          aria-label="Look for tools"
          placeholder="Look for tools"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
          // Enter searches. It does not submit the form around the field.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </search>
      <label class="all">
        <input type="checkbox" checked={only} onChange={({ currentTarget }) => setOnly(currentTarget.checked)} />
        Only what is chosen
      </label>
      <p class="hint" role="status">
        {counted(tools.length, 'tool')} chosen; at most 500
      </p>
      <div class="shelves">
        {catalogue.shelves.length === 0 && <Loading what="the tools" />}
        {astray.length > 0 && (
          <fieldset>
            <legend>Not found</legend>
            {gone.length > 0 && (
              <p class="problem">
                With what leads nowhere among them, other tools can’t be chosen.{' '}
                <button type="button" class="quiet" onClick={() => put(gone, false)}>
                  Take {gone.length === 1 ? 'it' : `those ${gone.length}`} out
                </button>
              </p>
            )}
            {astray.map((tool) => (
              <Tool
                key={keyOf(tool)}
                name={tool.name}
                says={standingOf(tool, catalogue).why}
                checked
                change={(wanted) => put([tool], wanted)}
              />
            ))}
          </fieldset>
        )}
        {shelves.map(({ shelf, shown }) => {
          const { title, serverId, problem } = shelf
          const asTools = shown.map(
            ({ name }): PresetTool => ({
              source: serverId === null ? 'BUILTIN' : 'EXTERNAL',
              name,
              serverId,
              serverName: serverId === null ? null : title,
            }),
          )
          const all = asTools.every((tool) => chosen.has(keyOf(tool)))
          if (shown.length === 0 && (only || words !== '' || (shelf.tools !== undefined && serverId === null)))
            return null
          return (
            <fieldset key={serverId ?? title}>
              <legend>
                {title} {serverId !== null && <span class="hint">external server</span>}
              </legend>
              {problem && <p class="hint">Its tools are not known: {problem.message}</p>}
              {shelf.tools === undefined && !problem && <Loading what="its tools" />}
              {shelf.tools?.length === 0 && <p class="hint">It has no tools.</p>}
              {shown.length > 1 && (
                <Tool
                  name={`All ${shown.length}`}
                  says={title}
                  checked={all}
                  change={(wanted) => put(asTools, wanted)}
                />
              )}
              {shown.map(({ name, title: says }, index) => (
                <Tool
                  key={name}
                  name={name}
                  says={says ?? ''}
                  checked={chosen.has(keyOf({ serverId, name }))}
                  change={(wanted) => put(asTools.slice(index, index + 1), wanted)}
                />
              ))}
            </fieldset>
          )
        })}
      </div>
    </div>
  )
}

interface ToolProps {
  readonly name: string
  readonly says: string
  readonly checked: boolean
  change(wanted: boolean): void
}

function Tool({ name, says, checked, change }: ToolProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>
        <code>{name}</code> <span class="hint">{says}</span>
      </span>
    </label>
  )
}
