/** The number of shown items, and a button that reads more. Nothing if all are shown. */
import type { TextWith } from '../../../../../spec/messages/console/message.ts'
import type { PagedList } from '../../data/usePagedList.ts'
import { format, messages } from '../../messages.ts'

interface ShowMoreProps {
  readonly shown: number
  readonly list: Pick<PagedList<unknown>, 'hasMore' | 'loadMore' | 'totalCount'>
  /** Other texts than those of a list whose later items are below. */
  readonly label?: string
  readonly shownText?: TextWith<'shown' | 'total'>
}

export function ShowMore({
  shown,
  list: { hasMore, loadMore, totalCount },
  label = messages.parts.loadMore,
  shownText = messages.parts.firstOf,
}: ShowMoreProps) {
  if (!hasMore) return null
  return (
    <p class="show-more">
      <span class="hint" role="status">
        {format(shownText, { shown, total: Math.max(totalCount, shown) })}
      </span>{' '}
      <button type="button" class="quiet" onClick={loadMore}>
        {label}
      </button>
    </p>
  )
}
