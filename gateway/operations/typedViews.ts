/** The views, whose rows have the types of the machines that wrote them. */
import type { TypedRows } from '../../machines/rows.ts'
import type { Views } from '../../storage/ports/views.ts'

export type TypedViews = Views<TypedRows>

/** Safe because only its own machine writes the rows of a kind, and the start migrates or refuses those of other versions. */
export function withRowTypes(views: Views): TypedViews {
  return views as unknown as TypedViews
}
