/** Keeps a scrolled element at its end as its content grows, until the reader scrolls up. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The distance from the end that still counts as the end, in pixels: half a line. */
const endSlack = 12

export interface FollowEnd {
  readonly box: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isFollowing: boolean
  handleScroll(): void
  jumpToEnd(): void
}

export function useFollowEnd(): FollowEnd {
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const lastTop = useRef(0)
  const [isShownAsFollowing, setIsShownAsFollowing] = useState(true)
  const setFollowing = (value: boolean) => {
    isFollowing.current = value
    setIsShownAsFollowing(value)
  }
  const jumpToEnd = () => {
    const element = box.current
    if (element === null) return
    element.scrollTop = element.scrollHeight
    lastTop.current = element.scrollTop
    setFollowing(true)
  }
  const handleScroll = () => {
    const element = box.current
    if (element === null) return
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - endSlack
    // Only a movement up is the reader's wish to stay: the content may grow before this event arrives.
    if (isAtEnd) setFollowing(true)
    else if (element.scrollTop < lastTop.current) setFollowing(false)
    lastTop.current = element.scrollTop
  }
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) jumpToEnd()
    })
    for (const { current } of [box, content]) if (current) observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { box, content, isFollowing: isShownAsFollowing, handleScroll, jumpToEnd }
}
