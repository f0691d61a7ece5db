/** The accounts page by page, by their time of creation. */
import { useRef } from 'preact/hooks'
import { type Asked, useAnswer } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { look } from './account.ts'

export interface User {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly createdAt: string
  readonly banned: boolean
}

interface Page {
  readonly users: readonly User[]
  readonly total: number
}

const pageLength = 100
export function useUsers(): Asked<Page> & { readonly more: () => void } {
  const pages = useRef(1)
  const read = async (): Promise<Page> => {
    // A user may be deleted during the read, which moves users of the next page to this one.
    const users = new Map<string, User>()
    let total = 0
    for (let page = 0; page < pages.current; page++) {
      const answer = await look<Page>(`admin/list-users?limit=${pageLength}&offset=${page * pageLength}`)
      for (const user of answer.users) users.set(user.id, user)
      total = answer.total
      if ((page + 1) * pageLength >= total) break
    }
    return { users: [...users.values()], total }
  }
  const asked = useAnswer('users', read)
  useSteps('USER', asked.refresh)
  const more = () => {
    const { users, total } = asked.data ?? { users: [], total: 0 }
    if (users.length >= total || users.length < pages.current * pageLength) return
    pages.current++
    asked.refresh()
  }
  return { ...asked, more }
}
