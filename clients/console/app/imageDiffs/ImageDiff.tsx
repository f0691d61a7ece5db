/** An image before and after a change, and the difference. The agent reads it when this is shown. */
import { useState } from 'preact/hooks'
import type { DiffImageView } from '../../../../spec/worktrees/diffImages.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, locale, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { type ChangedImage, getImagePath, type ImageFacts, readImageFacts } from './imageRequests.ts'

const texts = messages.imageDiffs
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

interface ImageDiffProps {
  readonly image: ChangedImage
  /** The last commit of the run. Undefined if it made none. */
  readonly lastCommit?: string | undefined
}

export function ImageDiff({ image, lastCommit }: ImageDiffProps) {
  const [isCommitted, setIsCommitted] = useState(false)
  const head = isCommitted ? lastCommit : undefined
  return (
    <section class="image-diff" aria-label={format(texts.label, { path: image.path })}>
      {lastCommit !== undefined && (
        <label class="image-diff-head">
          {texts.compareWith}{' '}
          <select
            value={isCommitted ? 'commit' : 'worktree'}
            onChange={({ currentTarget }) => setIsCommitted(currentTarget.value === 'commit')}
          >
            <option value="worktree">{texts.worktreeNow}</option>
            <option value="commit">{format(texts.lastCommit, { commit: lastCommit.slice(0, 10) })}</option>
          </select>
        </label>
      )}
      <Comparison key={head} image={image} head={head} />
    </section>
  )
}

interface ComparisonProps {
  readonly image: ChangedImage
  readonly head: string | undefined
}

function Comparison({ image, head }: ComparisonProps) {
  const { data, error, refresh } = useAsyncData(getImagePath(image, 'difference', head), () =>
    readImageFacts(image, head),
  )
  if (error && data === undefined)
    return (
      <div class="image-diff-problem">
        <ErrorMessage error={error} retriesAutomatically={error.retryable} />
        {!error.retryable && (
          <button type="button" class="quiet" onClick={refresh}>
            {texts.retry}
          </button>
        )}
      </div>
    )
  if (data === undefined) return <Loading />
  const { before, after } = data
  return (
    <>
      <p role="status">{describeFacts(data)}</p>
      <div class="image-diff-sides">
        {before && <Side image={image} head={head} view="before" size={before} />}
        {after && <Side image={image} head={head} view="after" size={after} />}
        {before && after && <Side image={image} head={head} view="difference" />}
      </div>
    </>
  )
}

function describeFacts({ before, after, changedPixels, isAnimated }: ImageFacts): string {
  if (before === undefined) return texts.added
  if (after === undefined) return texts.deleted
  if (changedPixels === 0) return texts.samePixels
  const pixels = Math.max(before.width, after.width) * Math.max(before.height, after.height)
  const changed = format(texts.changed, { count: changedPixels, share: percents.format(changedPixels / pixels) })
  return isAnimated ? `${changed} ${texts.animated}` : changed
}

interface SideProps extends ComparisonProps {
  readonly view: Exclude<DiffImageView, 'side'>
  readonly size?: { readonly width: number; readonly height: number }
}

function Side({ image, head, view, size }: SideProps) {
  const source = getImagePath(image, view, head)
  const path = view === 'before' ? (image.oldPath ?? image.path) : image.path
  return (
    <figure>
      <figcaption>
        {texts[view]} {size && <span class="hint">{format(texts.size, size)}</span>}
      </figcaption>
      <a href={source} target="_blank" rel="noopener" aria-label={format(texts.open, { name: texts[view] })}>
        <img src={source} alt={format(texts.alts[view], { path })} loading="lazy" />
      </a>
    </figure>
  )
}
