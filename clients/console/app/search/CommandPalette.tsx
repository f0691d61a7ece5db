/** Opens a view or an object by a part of its name. Ctrl K or Cmd K opens the palette. */
import { useEffect, useRef } from 'preact/hooks'
import { messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { getObjectPath, navigate } from '../router.ts'
import { useSelector } from '../state/useSelector.ts'
import { paletteStore } from './paletteStore.ts'
import { useSearch } from './useSearch.ts'

const { palette: texts } = messages.parts

interface PaletteEntry {
  readonly href: string
  readonly title: string
  readonly description: string
}

interface ViewLink {
  readonly href: string
  readonly name: string
}

export function CommandPalette({ views }: { readonly views: readonly ViewLink[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = useSelector(paletteStore, (context) => context.isOpen)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      paletteStore.trigger.opened()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  return (
    <>
      <button type="button" class="quiet palette-button" onClick={() => paletteStore.trigger.opened()}>
        {texts.button} <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <dialog ref={dialog} class="palette" aria-label={texts.label} onClose={() => paletteStore.trigger.closed()}>
          <PaletteEntries
            views={views}
            onOpen={(href) => {
              dialog.current?.close()
              navigate(href)
            }}
          />
        </dialog>
      )}
    </>
  )
}

interface PaletteEntriesProps {
  readonly views: readonly ViewLink[]
  onOpen(href: string): void
}

function PaletteEntries({ views, onOpen }: PaletteEntriesProps) {
  const { text, selected } = useSelector(paletteStore, (context) => context)
  const { hits, isSearching, error } = useSearch(text, 12)
  const searchText = text.trim().toLowerCase()
  const entries: readonly PaletteEntry[] = [
    ...views
      .filter(({ name }) => name.toLowerCase().includes(searchText))
      .map(({ href, name }) => ({ href, title: name, description: texts.page })),
    ...hits.map(({ kind, id, title, excerpt, status }) => ({
      href: getObjectPath(id),
      title,
      description: [formatName(kind), formatName(status), excerpt].filter(Boolean).join(' · '),
    })),
  ]
  const selectedIndex = Math.min(selected, entries.length - 1)
  const handleKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || entries.length === 0) return
    event.preventDefault()
    paletteStore.trigger.entrySelected({ selected: (selectedIndex + by + entries.length) % entries.length })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const entry = entries[selectedIndex]
        if (entry) onOpen(entry.href)
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={texts.label}
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={entries.length > 0 ? `palette-${selectedIndex}` : undefined}
        placeholder={texts.placeholder}
        autoComplete="off"
        value={text}
        onKeyDown={handleKey}
        onInput={({ currentTarget }) => paletteStore.trigger.textChanged({ text: currentTarget.value })}
      />
      <div id="palette" role="listbox" aria-label={texts.results}>
        {entries.map(({ href, title, description }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
          <div
            key={`${href} ${title}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === selectedIndex}
            onClick={() => onOpen(href)}
          >
            <b>{title}</b> <span class="hint">{description}</span>
          </div>
        ))}
      </div>
      {error ? (
        <ErrorMessage error={error} />
      ) : (
        entries.length === 0 && (
          <p class="hint" role="status">
            {isSearching ? messages.parts.searching : messages.parts.noMatches}
          </p>
        )
      )}
    </form>
  )
}
