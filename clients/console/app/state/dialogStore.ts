/** The dialog that a view has open, if it has one. */
import { createStore } from '@xstate/store'
import { useLocalStore } from './useLocalStore.ts'

export function createDialogStore<Dialog>() {
  interface DialogContext {
    readonly dialog: Dialog | undefined
  }
  const initial: DialogContext = { dialog: undefined }
  return createStore({
    context: initial,
    on: {
      opened: (_, { dialog }: { dialog: Dialog }): DialogContext => ({ dialog }),
      closed: (): DialogContext => ({ dialog: undefined }),
    },
  })
}

interface DialogControl<Dialog> {
  readonly dialog: Dialog | undefined
  open(dialog: Dialog): void
  close(): void
}

export function useDialog<Dialog>(): DialogControl<Dialog> {
  const [{ dialog }, { trigger }] = useLocalStore(createDialogStore<Dialog>)
  return { dialog, open: (opened) => trigger.opened({ dialog: opened }), close: () => trigger.closed() }
}
