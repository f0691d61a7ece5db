/** The line and the head of an arrow. */
import type { Routes } from '../../chart/chartLayout.ts'
import { drawHead, drawRoundedPath, headInset } from '../../chart/draw/path.ts'

export function Polylines({ routes }: { readonly routes: Routes }) {
  return (
    <>
      {routes.map((points) => (
        <path key={drawRoundedPath(points)} class="line" d={drawRoundedPath(points)} />
      ))}
    </>
  )
}

export function Arrow({ routes }: { readonly routes: Routes }) {
  const last = routes.at(-1) ?? []
  return (
    <>
      <Polylines routes={routes.slice(0, -1)} />
      <path class="line" d={drawRoundedPath(last, headInset)} />
      <path class="head" d={drawHead(last)} />
    </>
  )
}
