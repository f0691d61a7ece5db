/** Which groups of a log are folded. */
import { useMemo, useState } from 'preact/hooks'
import type { LogGroup } from './logGroups.ts'
import { VisibleLines } from './visibleLines.ts'

interface Folding {
  readonly visible: VisibleLines
  readonly isAllFolded: boolean
  /** Returns the group of which the line is the title. */
  groupAt(line: number): LogGroup | undefined
  /** @param line the title of a group */
  isFolded(line: number): boolean
  toggle(line: number): void
  toggleAll(): void
}

/** @param shownLine a line that is always visible: its group is unfolded */
export function useFolding(groups: readonly LogGroup[], count: number, shownLine: number | undefined): Folding {
  const [foldedTitles, setFoldedTitles] = useState<ReadonlySet<number>>(new Set())
  const byTitle = useMemo(() => new Map(groups.map((group) => [group.first, group])), [groups])
  const folded = useMemo(() => {
    const isShown = ({ first, end = count }: LogGroup) =>
      shownLine !== undefined && first < shownLine && shownLine < end
    return groups.filter((group) => foldedTitles.has(group.first) && !isShown(group))
  }, [groups, foldedTitles, shownLine, count])
  const visible = useMemo(
    () =>
      new VisibleLines(
        count,
        folded.map(({ first, end = count }) => ({ first, end })),
      ),
    [folded, count],
  )
  const foldedNow = useMemo(() => new Set(folded.map(({ first }) => first)), [folded])
  const isAllFolded = groups.length > 0 && folded.length === groups.length
  return {
    visible,
    isAllFolded,
    groupAt: (line) => byTitle.get(line),
    isFolded: (line) => foldedNow.has(line),
    toggle: (line) => {
      const next = new Set(foldedTitles)
      if (!next.delete(line)) next.add(line)
      setFoldedTitles(next)
    },
    toggleAll: () => setFoldedTitles(new Set(isAllFolded ? [] : byTitle.keys())),
  }
}
