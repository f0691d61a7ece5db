/** A view whose code is loaded when it is first shown, so that the first page does not wait for the code of all others. */
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messages } from '../messages.ts'
import { EmptyState } from '../parts/notices/EmptyState.tsx'

const loaders: (() => Promise<unknown>)[] = []

/** @param load imports the component. It is called again after a failure */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let View: ComponentType<Props> | undefined
  const loadOnce = async () => {
    View ??= await load()
  }
  loaders.push(loadOnce)
  return function Lazy(props: Props): JSX.Element | null {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    useEffect(() => {
      if (View !== undefined) return
      loadOnce().then(
        () => setState('loaded'),
        () => setState('failed'),
      )
    }, [])
    if (View !== undefined) return <View {...props} />
    return state === 'failed' ? <MissingView /> : null
  }
}

/** The code cannot be loaded if the server has been upgraded, or if there is no connection. */
function MissingView() {
  const { title, reload } = messages.shell.missingView
  return (
    <EmptyState title={title}>
      <p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          {reload}
        </button>
      </p>
    </EmptyState>
  )
}

/** The first view and its data come first. */
const preloadAfterMs = 3_000

/** Loads the code of all views when the browser has nothing else to do, so that each opens at once. */
export function preloadViews(): void {
  const loadAll = () => {
    // A view whose code is missing reports that when it is shown.
    for (const load of loaders) load().catch(() => {})
  }
  setTimeout(() => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(loadAll, { timeout: 5_000 })
    else loadAll()
  }, preloadAfterMs)
}
