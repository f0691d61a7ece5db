/**
 * Some entries of a transcript. They are on the page only near the visible part: otherwise ten thousand entries would make the page
 * slow. In their place is an empty box of the same height.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { TranscriptItem } from './TranscriptItem.tsx'
import type { TranscriptEntry } from './transcriptEntries.ts'

/** The usual height of an entry, in pixels, for entries that were never on the page. */
const usualHeight = 48
/** The distance from the visible part at which entries are rendered. */
const nearby = '1200px'

interface EntryChunkProps {
  readonly entries: readonly TranscriptEntry[]
  /** The last entries are always on the page, because the reader usually is at the end. */
  readonly isLast: boolean
}

export function EntryChunk({ entries, isLast }: EntryChunkProps) {
  const list = useRef<HTMLOListElement>(null)
  const [isNear, setIsNear] = useState(false)
  const height = useRef<number>(undefined)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new IntersectionObserver(
      ([change]) => {
        if (change === undefined) return
        if (!change.isIntersecting) height.current = change.boundingClientRect.height
        setIsNear(change.isIntersecting)
      },
      { root: element.closest('.transcript'), rootMargin: nearby },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  if (!isNear && !isLast)
    return <ol ref={list} style={{ height: `${height.current ?? entries.length * usualHeight}px` }} />
  return (
    <ol ref={list} style={{ height: 'auto' }} aria-live={isLast ? 'polite' : undefined}>
      {entries.map((entry) => (
        <TranscriptItem key={entry.sequence} entry={entry} />
      ))}
    </ol>
  )
}
