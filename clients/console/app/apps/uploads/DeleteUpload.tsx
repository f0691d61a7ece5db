/** Deletes an upload of dSYMs that has not ended. */
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import { DeleteButton } from '../DeleteButton.tsx'
import { type DsymUpload, deleteMutation } from './dsymUpload.ts'

export function DeleteUpload({ upload: { id, name, canBeDeleted } }: { readonly upload: DsymUpload }) {
  if (!canBeDeleted) return null
  return (
    <DeleteButton
      name={name}
      texts={messages.dsyms.uploads}
      isInList
      onDelete={async () => {
        await requestGraphql(deleteMutation, { id })
      }}
    />
  )
}
