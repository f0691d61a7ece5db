/** A choice of one object: the newest ones at first, and the matches of a search. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useSearch } from '../../search/useSearch.ts'

const { choice: texts } = messages.newRun

/** The number of objects that are offered at once. */
export const offeredCount = 8

export interface OfferedObject {
  readonly id: string
  readonly title: string
  readonly detail: string
}

interface ObjectChoiceProps {
  /** The name of the form's field. Its value is the ID. */
  readonly name: string
  readonly label: string
  readonly kind: 'WORKTREE' | 'CODEBASE' | 'REPOSITORY'
  readonly placeholder?: string
  /** Undefined until they are loaded. */
  readonly newest: readonly OfferedObject[] | undefined
  readonly totalCount: number
  /** The chosen object. */
  readonly chosen: OfferedObject | undefined
  onChoose(object: OfferedObject): void
}

export function ObjectChoice({
  name,
  label,
  kind,
  placeholder = texts.placeholder,
  newest,
  totalCount,
  chosen,
  onChoose,
}: ObjectChoiceProps) {
  const id = useId()
  const [text, setText] = useState('')
  const { hits, isSearching, error } = useSearch(text, offeredCount, kind)
  const isSearch = text.trim() !== ''
  const matches = isSearch ? hits.map((hit) => ({ id: hit.id, title: hit.title, detail: hit.excerpt ?? '' })) : newest
  // The chosen one stays visible, whatever is searched. It keeps its place, because the arrow keys go on from there.
  const isOffered = matches?.some(({ id: matchId }) => matchId === chosen?.id) ?? false
  const offered = [...(chosen && !isOffered ? [chosen] : []), ...(matches ?? [])]
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (list.current) showChecked(list.current)
  }, [chosen?.id, newest])
  return (
    <fieldset class="object-choice">
      <legend>{label}</legend>
      <input
        type="search"
        aria-label={format(texts.find, { label })}
        aria-describedby={`${id}-count`}
        placeholder={placeholder}
        autoComplete="off"
        value={text}
        // Enter would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul ref={list}>
        {offered.map((object) => (
          <li key={object.id}>
            <label>
              <input
                type="radio"
                name={name}
                value={object.id}
                required
                checked={object.id === chosen?.id}
                onChange={() => onChoose(object)}
              />
              <span class="item-name">{object.title}</span> <span class="hint">{object.detail}</span>
            </label>
          </li>
        ))}
      </ul>
      {error && <ErrorMessage error={error} />}
      <p id={`${id}-count`} class="hint" role="status">
        {describeMatches()}
      </p>
    </fieldset>
  )

  function describeMatches(): string {
    if (isSearch && isSearching) return messages.parts.searching
    if (error) return ''
    if (isSearch && hits.length === 0) return messages.parts.noMatches
    if (isSearch) return hits.length === offeredCount ? format(texts.bestMatches, { count: offeredCount }) : ''
    if (newest === undefined) return messages.parts.loading
    return totalCount > newest.length ? format(texts.newest, { shown: newest.length, total: totalCount }) : ''
  }
}

/** Scrolls the list, and not the page, to the chosen object. */
function showChecked(list: HTMLUListElement): void {
  const item = list.querySelector(':checked')?.closest('li')
  if (!item) return
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom
}
