/**
 * Sets the title of the document while a view is shown. It distinguishes tabs, bookmarks and history entries, and begins with the number
 * of items in the inbox that need a person.
 */
import { useEffect } from 'preact/hooks'
import { actionCenterStore } from '../state/actionCenterStore.ts'
import { useSelector } from '../state/useSelector.ts'

/** @param names the available names, from the specific to the general. Undefined for a part of a view that has a title already */
export function useDocumentTitle(names: readonly (string | null | undefined)[] | undefined): void {
  const count = useSelector(actionCenterStore, ({ counts }) => (counts ? counts.critical + counts.high : 0))
  const title = names && [...names.filter(Boolean), 'Signalbox'].join(' · ')
  useEffect(() => {
    if (title !== undefined) document.title = count === 0 ? title : `(${count}) ${title}`
  }, [title, count])
}
