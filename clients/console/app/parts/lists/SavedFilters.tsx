/** Filters of a list that are saved under names: choose, save, change, rename and delete. */

import type { TextWith } from '../../../../../spec/messages/console/message.ts'
import type { ApiError } from '../../data/apiError.ts'
import { format } from '../../messages.ts'
import { navigate } from '../../router.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { ConfirmDialog } from '../forms/ConfirmDialog.tsx'
import { NameDialog } from '../forms/NameDialog.tsx'
import { ErrorMessage } from '../notices/ErrorMessage.tsx'

interface SavedFiltersTexts {
  readonly label: string
  readonly none: string
  readonly unsaved: string
  readonly save: string
  readonly update: string
  readonly rename: string
  readonly delete: string
  readonly deleteText: TextWith<'name'>
  readonly name: string
}

interface SavedFilter {
  readonly id: string
  readonly name: string
}

interface SavedFiltersProps<T extends SavedFilter> {
  readonly texts: SavedFiltersTexts
  readonly saved: readonly T[]
  /** The number of saved ones that are not among them, as a text. Empty if there are none. */
  readonly unlisted?: string
  /** A note about the users who see what is saved. */
  readonly saveHint?: string
  readonly error: ApiError | undefined
  /** The ID of the chosen one. */
  readonly chosenId: string | undefined
  /** Whether the filters of the list differ from those of the chosen one. Without one, whether there are any. */
  isChanged(chosen: T | undefined): boolean
  /** Returns the address of the list. Undefined for the list without filters. */
  getPath(saved: T | undefined): string
  /** Saves the filters of the list. @returns the address of the list with the new one */
  onSave(name: string): Promise<string>
  /** Replaces the filters of one by those of the list. */
  onUpdate(saved: T): Promise<void>
  onRename(saved: T, name: string): Promise<void>
  onDelete(saved: T): Promise<void>
}

export function SavedFilters<T extends SavedFilter>({
  texts,
  saved,
  unlisted = '',
  saveHint,
  error,
  chosenId,
  isChanged: isChangedFrom,
  getPath,
  onSave,
  onUpdate,
  onRename,
  onDelete,
}: SavedFiltersProps<T>) {
  const { dialog, open, close } = useDialog<'save' | 'rename' | 'delete'>()
  const update = useRequest<void>()
  const problem = update.error ?? error
  const chosen = saved.find(({ id }) => id === chosenId)
  const isChanged = isChangedFrom(chosen)
  return (
    <div class="saved-views">
      <select
        aria-label={texts.label}
        value={chosen?.id ?? (isChanged ? 'unsaved' : '')}
        onChange={({ currentTarget: { value } }) => {
          if (value !== 'unsaved') navigate(getPath(saved.find(({ id }) => id === value)))
        }}
      >
        <option value="">{texts.none}</option>
        {chosen === undefined && isChanged && <option value="unsaved">{texts.unsaved}</option>}
        {saved.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {unlisted !== '' && <option disabled>{unlisted}</option>}
      </select>
      {chosen && isChanged && (
        <ActionButton isBusy={update.status === 'pending'} onClick={() => void update.send(onUpdate(chosen))}>
          {texts.update}
        </ActionButton>
      )}
      {isChanged && <ActionButton onClick={() => open('save')}>{texts.save}</ActionButton>}
      {chosen && <ActionButton onClick={() => open('rename')}>{texts.rename}</ActionButton>}
      {chosen && <ActionButton onClick={() => open('delete')}>{texts.delete}</ActionButton>}
      {problem && <ErrorMessage error={problem} />}
      {dialog === 'save' && (
        <NameDialog
          title={texts.save}
          label={texts.name}
          name=""
          onClose={close}
          onName={async (name) => navigate(await onSave(name))}
        >
          {saveHint && <p class="note">{saveHint}</p>}
        </NameDialog>
      )}
      {dialog === 'rename' && chosen && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          name={chosen.name}
          onClose={close}
          onName={(name) => onRename(chosen, name)}
        />
      )}
      {dialog === 'delete' && chosen && (
        <ConfirmDialog
          title={texts.delete}
          confirmLabel={texts.delete}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await onDelete(chosen)
            navigate(getPath(undefined))
          }}
        >
          <p>{format(texts.deleteText, { name: chosen.name })}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
