/** The notice of a view that has nothing to show. */
import type { ComponentChildren } from 'preact'

export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
    </div>
  )
}
