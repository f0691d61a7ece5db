/** A hub where lines meet, and the lines that lead to it. */
import type { Hub } from '../../chart/chartLayout.ts'
import { isHubTaken, isLineTaken, sortTakenLast, type TakenPath } from '../../chart/takenPath.ts'
import { Polylines } from './Arrow.tsx'

export function HubDot({ hub, path }: { readonly hub: Hub; readonly path: TakenPath }) {
  const { at, branches } = hub
  const isTaken = (branch: Hub['branches'][number]) => isLineTaken(branch, path)
  const edgeClass = (taken: boolean) => (taken ? 'edge taken' : 'edge')
  return (
    <>
      {sortTakenLast(branches, isTaken).map((branch) => (
        <g key={branch.source} class={edgeClass(isTaken(branch))}>
          <Polylines routes={branch.routes} />
        </g>
      ))}
      <g class={edgeClass(isHubTaken(hub, path))}>
        <circle class="dot" cx={at.x} cy={at.y} r={4} />
      </g>
    </>
  )
}
