/** Ctrl or Cmd and K: goes to a view, or to whatever the search finds, by a few letters. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameWords } from '../parts/nameWords.ts'
import { hrefOf, navigate } from '../router.ts'
import { useSearch } from './useSearch.ts'

interface Entry {
  readonly href: string
  readonly title: string
  readonly about: string
}

export function Palette({ places }: { readonly places: readonly { readonly href: string; readonly name: string }[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  useEffect(() => {
    if (open) dialog.current?.showModal()
  }, [open])
  return (
    <>
      <button type="button" class="quiet seek" onClick={() => setOpen(true)}>
        Go to … <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <dialog ref={dialog} class="palette" aria-label="Go to" onClose={() => setOpen(false)}>
          <Choices
            places={places}
            go={(href) => {
              dialog.current?.close()
              navigate(href)
            }}
          />
        </dialog>
      )}
    </>
  )
}

interface ChoicesProps {
  readonly places: readonly { readonly href: string; readonly name: string }[]
  go(href: string): void
}

function Choices({ places, go }: ChoicesProps) {
  const [text, setText] = useState('')
  const { hits, isAnswered } = useSearch(text, 12)
  const [chosen, setChosen] = useState(0)
  const words = text.trim().toLowerCase()
  const entries: readonly Entry[] = [
    ...places
      .filter(({ name }) => name.toLowerCase().includes(words))
      .map(({ href, name }) => ({ href, title: name, about: 'view' })),
    ...hits.map(({ kind, id, title, excerpt, status }) => ({
      href: hrefOf(id),
      title,
      about: [nameWords(kind), nameWords(status), excerpt].filter(Boolean).join(' · '),
    })),
  ]
  const at = Math.min(chosen, entries.length - 1)
  const pressed = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || entries.length === 0) return
    event.preventDefault()
    setChosen((at + by + entries.length) % entries.length)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const entry = entries[at]
        if (entry) go(entry.href)
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={entries.length > 0 ? `palette-${at}` : undefined}
        placeholder="A view, a name, some words, an ID"
        autoComplete="off"
        value={text}
        onKeyDown={pressed}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setChosen(0)
        }}
      />
      <div id="palette" role="listbox" aria-label="Found">
        {entries.map(({ href, title, about }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus, as in every combobox
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the text field's
          <div
            key={`${href} ${title}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => go(href)}
          >
            <b>{title}</b> <span class="hint">{about}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <p class="hint" role="status">
          {isAnswered ? 'No matches' : 'Searching …'}
        </p>
      )}
    </form>
  )
}
