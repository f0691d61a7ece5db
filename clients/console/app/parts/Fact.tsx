/** One fact of an object: a name and a value, in a list with the class `facts`. */
import type { ComponentChildren } from 'preact'

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
