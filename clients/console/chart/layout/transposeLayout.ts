/** Swaps the axes of a layout, so that code for charts from top to bottom also works for charts from left to right. */
import type { ChartLayout, Point, Rect, Routes } from '../chartLayout.ts'

export function transposeLayout(layout: ChartLayout): ChartLayout {
  return {
    chart: layout.chart,
    width: layout.height,
    height: layout.width,
    boxes: layout.boxes.map((box) => ({
      ...swapSides(box),
      texts: box.texts.map(swapPoint),
      internals: box.internals.map(swapPoint),
    })),
    connections: layout.connections.map((one) => ({
      ...one,
      routes: swapRoutes(one.routes),
      label: swapSides(one.label),
      lines: one.lines.map(swapPoint),
    })),
    hubs: layout.hubs.map(({ at, branches }) => ({
      at: swapPoint(at),
      branches: branches.map((branch) => ({ ...branch, routes: swapRoutes(branch.routes) })),
    })),
    starts: layout.starts.map((start) => ({
      ...start,
      dot: swapPoint(start.dot),
      routes: swapRoutes(start.routes),
    })),
    dividers: layout.dividers.map(({ from, to }) => ({ from: swapPoint(from), to: swapPoint(to) })),
  }
}

function swapPoint<P extends Point>(point: P): P {
  return { ...point, x: point.y, y: point.x }
}

function swapSides<R extends Rect>(rect: R): R {
  return { ...swapPoint(rect), width: rect.height, height: rect.width }
}

function swapRoutes(routes: Routes): Routes {
  return routes.map((points) => points.map(swapPoint))
}
