/**
 * The icon of the page in the tab of the browser. It shows the status of the page's object. On other pages it shows whether a person is
 * needed, and on every page whether the connection is lost.
 */
import { useEffect, useState } from 'preact/hooks'
import { getStatusTone, type StatusTone } from '../parts/statusTone.ts'
import { actionCenterStore } from '../state/actionCenterStore.ts'
import { connectionStore } from '../state/connectionStore.ts'
import { pageStatusStore } from '../state/pageStatusStore.ts'
import { useSelector } from '../state/useSelector.ts'

type IconTone = StatusTone | 'offline'

/** A mark at the corner: each tone has a color and a shape. The colors are those of the light theme in `look/tokens.css`. */
const marks: Partial<Readonly<Record<IconTone, string>>> = {
  good: '<circle cx="23" cy="23" r="7" fill="#1d8a5b"/>',
  working: '<circle cx="23" cy="23" r="5" fill="#fff" stroke="#1f5fa8" stroke-width="4"/>',
  attention: '<path d="M23 14.5l8.5 8.5-8.5 8.5-8.5-8.5z" fill="#c98510"/>',
  failed: '<path d="M16 16h14v14H16z" fill="#b0261c"/>',
  offline: '<path d="M17 17l12 12m0-12L17 29" stroke="#56606a" stroke-width="4"/>',
}

export function useStatusIcon(): void {
  const tone = useIconTone()
  const [picture, setPicture] = useState<string>()
  const mark = marks[tone]
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (link === null) return
    plainPath ??= link.href
    if (mark === undefined) link.href = plainPath
    else if (picture !== undefined) {
      const frame = '<circle cx="23" cy="23" r="10" fill="#fff"/>'
      link.href = `data:image/svg+xml,${encodeURIComponent(picture.replace('</svg>', `${frame}${mark}</svg>`))}`
    } else void loadPicture(plainPath).then(setPicture)
  }, [mark, picture])
}

/** The path of the icon without a mark. */
let plainPath: string | undefined

/** @returns the icon as SVG. Undefined if it cannot be loaded: the page keeps the icon without a mark */
async function loadPicture(path: string): Promise<string | undefined> {
  const response = await fetch(path).catch(() => undefined)
  return response?.ok ? await response.text() : undefined
}

function useIconTone(): IconTone {
  const isLost = useSelector(connectionStore, ({ status }) => status === 'reconnecting')
  const status = useSelector(pageStatusStore, (context) => context.status)
  const needsPerson = useSelector(
    actionCenterStore,
    ({ counts }) => counts !== undefined && counts.critical + counts.high > 0,
  )
  if (isLost) return 'offline'
  if (status !== undefined) return getStatusTone(status)
  return needsPerson ? 'attention' : 'idle'
}
