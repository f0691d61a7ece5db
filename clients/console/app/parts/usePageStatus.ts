import { useEffect } from 'preact/hooks'
import { pageStatusStore } from '../state/pageStatusStore.ts'

/** Shows the status of the page's object in the icon of the page. @param status undefined until it is known */
export function usePageStatus(status: string | undefined): void {
  useEffect(() => {
    pageStatusStore.trigger.changed({ status })
    return () => pageStatusStore.trigger.changed({ status: undefined })
  }, [status])
}
