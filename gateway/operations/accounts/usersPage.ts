/** Reads a page of the accounts by offset, which Better Auth's clients use. */
import type { TypedRow } from '../../../machines/rows.ts'
import type { TypedViews } from '../typedViews.ts'

const longestPage = 1_000

/** Views page by row and not by offset, so it reads and skips the rows before the page. There are few accounts. */
export async function loadUsersPage(
  views: TypedViews,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly TypedRow<'user'>[]; readonly total: number }> {
  const total = await views.count({ kind: 'user', terminal: false })
  const rows: TypedRow<'user'>[] = []
  let skipped = 0
  let after: { readonly id: string } | undefined
  while (rows.length < limit) {
    const wanted = Math.min(longestPage, offset + limit - skipped)
    const page = await views.list({ kind: 'user', terminal: false, limit: wanted, ...(after && { after }) })
    rows.push(...page.slice(Math.max(0, offset - skipped)))
    skipped += page.length
    after = page.at(-1)
    if (page.length < wanted) break
  }
  return { rows, total }
}
