/** The line and the head of an arrow. */
import { headInset, headPath, roundedPath } from '../../chart/draw/path.ts'
import type { Routes } from '../../chart/laidOut.ts'

export function Lines({ routes }: { readonly routes: Routes }) {
  return (
    <>
      {routes.map((points) => (
        <path key={roundedPath(points)} class="line" d={roundedPath(points)} />
      ))}
    </>
  )
}

export function Arrow({ routes }: { readonly routes: Routes }) {
  const last = routes.at(-1) ?? []
  return (
    <>
      <Lines routes={routes.slice(0, -1)} />
      <path class="line" d={roundedPath(last, headInset)} />
      <path class="head" d={headPath(last)} />
    </>
  )
}
