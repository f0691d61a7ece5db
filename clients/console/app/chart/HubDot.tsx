/** A hub where lines meet, and the lines that lead to it. */
import type { Hub } from '../../chart/laidOut.ts'
import { isMet, isPassed, takenLast, type Way } from '../../chart/way.ts'
import { Lines } from './Arrow.tsx'

export function HubDot({ hub, way }: { readonly hub: Hub; readonly way: Way }) {
  const { at, branches } = hub
  const isOne = (branch: Hub['branches'][number]) => isPassed(branch, way)
  const classOf = (taken: boolean) => (taken ? 'edge taken' : 'edge')
  return (
    <>
      {takenLast(branches, isOne).map((branch) => (
        <g key={branch.source} class={classOf(isOne(branch))}>
          <Lines routes={branch.routes} />
        </g>
      ))}
      <g class={classOf(isMet(hub, way))}>
        <circle class="dot" cx={at.x} cy={at.y} r={4} />
      </g>
    </>
  )
}
