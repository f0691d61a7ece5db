/** The address of the current view. Every view and every filter has its own address, so the Back button works. */
import { createStore } from '@xstate/store'

interface LocationContext {
  /** The path with the query. */
  readonly address: string
  readonly path: string
  /** The parameters in the query, by name. */
  readonly filters: Readonly<Record<string, string>>
}

export const locationStore = createStore({
  context: parseAddress('/'),
  on: {
    navigated: (_, { address }: { address: string }): LocationContext => parseAddress(address),
  },
})

function parseAddress(address: string): LocationContext {
  const [path = '/', query] = address.split('?')
  return { address, path, filters: Object.fromEntries(new URLSearchParams(query)) }
}
