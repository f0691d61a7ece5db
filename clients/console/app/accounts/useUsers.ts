/** The accounts page by page, by their time of creation. */
import { useRef } from 'preact/hooks'
import { useOnTransition } from '../data/useOnTransition.ts'
import { type QueryResult, useAsyncData } from '../data/useQuery.ts'
import { getAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'

type UserPage = Pick<AuthResult<'GET', 'admin/list-users'>, 'users' | 'total'>
export type UserAccount = UserPage['users'][number]

const pageLength = 100

export function useUsers(): QueryResult<UserPage> & { readonly loadMore: () => void } {
  const pages = useRef(1)
  const read = async (): Promise<UserPage> => {
    // A user may be deleted during the read, which moves users of the next page to this one.
    const users = new Map<string, UserAccount>()
    let total = 0
    for (let page = 0; page < pages.current; page++) {
      const response = await getAuth('admin/list-users', `?limit=${pageLength}&offset=${page * pageLength}`)
      for (const user of response.users) users.set(user.id, user)
      total = response.total
      if ((page + 1) * pageLength >= total) break
    }
    return { users: [...users.values()], total }
  }
  const result = useAsyncData('users', read)
  useOnTransition('USER', result.refresh)
  const loadMore = () => {
    const { users, total } = result.data ?? { users: [], total: 0 }
    if (users.length >= total || users.length < pages.current * pageLength) return
    pages.current++
    result.refresh()
  }
  return { ...result, loadMore }
}
