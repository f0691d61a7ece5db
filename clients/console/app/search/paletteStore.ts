/** The command palette: whether it is open, the entered text, and the selected entry. */
import { createStore } from '@xstate/store'

interface PaletteContext {
  readonly isOpen: boolean
  readonly text: string
  /** The index of an entry. */
  readonly selected: number
}

const closed: PaletteContext = { isOpen: false, text: '', selected: 0 }

export const paletteStore = createStore({
  context: closed,
  on: {
    opened: (context): PaletteContext => ({ ...context, isOpen: true }),
    closed: (): PaletteContext => closed,
    /** Another text has other entries. */
    textChanged: (context, { text }: { text: string }): PaletteContext => ({ ...context, text, selected: 0 }),
    entrySelected: (context, { selected }: { selected: number }): PaletteContext => ({ ...context, selected }),
  },
})
