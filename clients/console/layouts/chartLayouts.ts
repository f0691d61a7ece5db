/** The layouts of charts. Each is computed once, because the definition of a hash never changes. */
import { type ChartRequest, getChartPath } from '../../../spec/pages/chartPath.ts'
import type { Asset } from '../../../spec/pages/site.ts'
import { createAsset } from '../createAsset.ts'
import { LayoutThread } from './layoutThread.ts'

/** Enough for two versions of all machines in three forms. A layout takes at most 80 kB. */
const maxLayouts = 300

export class ChartLayouts {
  readonly #thread = new LayoutThread()
  /** By path. The first is the one that has not been requested for the longest time. */
  readonly #layouts = new Map<string, Promise<Asset>>()

  /** @param definition the definition that the request's hash belongs to */
  async find(request: ChartRequest, definition: string): Promise<Asset> {
    const path = getChartPath(request)
    const known = this.#layouts.get(path)
    const layout = known ?? this.#compute(request, definition)
    if (known === undefined) layout.catch(() => this.#layouts.delete(path))
    this.#layouts.delete(path)
    this.#layouts.set(path, layout)
    for (const oldest of this.#layouts.keys()) {
      if (this.#layouts.size <= maxLayouts) break
      this.#layouts.delete(oldest)
    }
    return await layout
  }

  async #compute({ form, locale }: ChartRequest, definition: string): Promise<Asset> {
    const json = await this.#thread.layOut({ definition, form, locale })
    return createAsset('application/json; charset=utf-8', Buffer.from(json), 5)
  }
}
