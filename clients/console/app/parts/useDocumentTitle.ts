/** Sets the title of the document while a view is shown. It distinguishes tabs, bookmarks and history entries. */
import { useEffect } from 'preact/hooks'

/** @param names the available names, from the specific to the general. Undefined for a part of a view that has a title already */
export function useDocumentTitle(names: readonly (string | null | undefined)[] | undefined): void {
  const title = names && [...names.filter(Boolean), 'Signalbox'].join(' · ')
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
