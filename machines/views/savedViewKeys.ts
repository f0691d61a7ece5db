/** The unique key of a saved view. */
import type { SavedViewPage } from '../../spec/views/savedViews.ts'

interface ViewPlace {
  readonly userId: string
  readonly page: SavedViewPage
}

/** Only one active view of the user and the page has the name, regardless of case. */
export const savedViewKey = ({ userId, page }: ViewPlace, name: string): string =>
  `${userId}|${page}|${name.toLowerCase()}`
