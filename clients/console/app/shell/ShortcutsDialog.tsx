/** The list of the keys that work in every view. */
import { useEffect, useRef } from 'preact/hooks'
import { format, formatParts, messages } from '../messages.ts'
import { namedViews } from './views.tsx'

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { title, newRun, palette, list, search, goTo, close } = messages.shell.shortcuts
  return (
    <dialog ref={dialog} class="shortcuts" aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title">{title}</h2>
      <dl>
        <Shortcut keys={['C']} description={newRun} />
        <Shortcut keys={['/']} description={search} />
        <Shortcut keys={['Ctrl K']} description={palette} />
        {namedViews.map(({ href, name, key }) => (
          <Shortcut key={href} keys={['G', key.toUpperCase()]} description={format(goTo, { view: name })} />
        ))}
        <Shortcut keys={['?']} description={list} />
      </dl>
      <form method="dialog" class="buttons">
        <button type="submit" class="quiet">
          {close}
        </button>
      </form>
    </dialog>
  )
}

/** @param keys one key, or two that are pressed one after the other */
function Shortcut({
  keys: [first, second],
  description,
}: {
  readonly keys: readonly string[]
  readonly description: string
}) {
  const { sequence } = messages.shell.shortcuts
  return (
    <div>
      <dt>
        {second === undefined ? (
          <kbd>{first}</kbd>
        ) : (
          formatParts(sequence, { first: <kbd>{first}</kbd>, second: <kbd>{second}</kbd> })
        )}
      </dt>
      <dd>{description}</dd>
    </div>
  )
}
