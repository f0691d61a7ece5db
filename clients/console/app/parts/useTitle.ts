/** The title of the document while a view is shown: what tells tabs, bookmarks and history entries apart. */
import { useEffect } from 'preact/hooks'

/** @param names from the particular to the general, those that are known; undefined for a part of a view that has its title already */
export function useTitle(names: readonly (string | null | undefined)[] | undefined): void {
  const title = names && [...names.filter(Boolean), 'Signalbox'].join(' · ')
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
}
