/** The layout engine for charts, in its worker. It is started once for all charts of the page. */
import { readPageData } from '../../browser/page.ts'
import type { ConsolePageData } from '../../pages/pageData.ts'
import { ApiError } from '../data/apiError.ts'
import type { LayoutEngine } from './createLayoutEngine.ts'

let engine: Promise<LayoutEngine> | undefined

/** @throws ApiError if it cannot be loaded. The next call tries again */
export function loadLayoutEngine(): Promise<LayoutEngine> {
  engine ??= startEngine().catch((cause: unknown) => {
    engine = undefined
    throw cause
  })
  return engine
}

/**
 * Starts the engine when a link to a chart is hovered or focused. Its start takes longer than the layout of a chart. It costs a
 * second of processor time, so a page without charts does not start it.
 */
export function startEngineOnInterest(): void {
  const startIfInterested = ({ target }: Event): void => {
    const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : null
    if (chartPaths.test(href ?? '')) void loadLayoutEngine().catch(() => {})
  }
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, startIfInterested, { passive: true })
}

const chartPaths = /^\/(runs|worktrees|actors|kinds)\/./

async function startEngine(): Promise<LayoutEngine> {
  const began = performance.now()
  const worker = new Worker(readPageData<ConsolePageData>().chartEngine)
  // If its worker fails to load, the engine waits for a response forever.
  const failed = new Promise<never>((_, reject) => worker.addEventListener('error', () => reject(createLoadError())))
  const loadedModule = import('./createLayoutEngine.ts').catch(() => Promise.reject(createLoadError()))
  try {
    const engine = await Promise.race([loadedModule.then((module) => module.createLayoutEngine(worker)), failed])
    performance.measure('start of the layout engine', { start: began })
    return engine
  } catch (cause) {
    worker.terminate()
    throw cause
  }
}

function createLoadError(): ApiError {
  const message = 'The layout engine for charts did not load. If the server has been updated, reload this page.'
  return new ApiError('CHART_ENGINE_MISSING', message, { retryable: true })
}
