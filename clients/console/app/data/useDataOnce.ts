/** Data that a form begins with. It is read once: a newer version would replace what the user types. */
import { useState } from 'preact/hooks'
import { type QueryResult, useAsyncData } from './useQuery.ts'

/** @param key identifies the request */
export function useDataOnce<T>(key: string, read: () => Promise<T>): Omit<QueryResult<T>, 'refresh'> {
  const { data, error } = useAsyncData(key, read)
  const [first] = useState<{ data?: T }>({})
  if (first.data === undefined && data !== undefined) first.data = data
  return { data: first.data, error }
}
