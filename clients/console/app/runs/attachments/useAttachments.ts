/** The files of a form, and the handlers by which they are dropped on it or pasted into it. */
import type { TargetedClipboardEvent, TargetedDragEvent } from 'preact'
import { ApiError } from '../../data/apiError.ts'
import { messages } from '../../messages.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { createAttachmentsStore } from './attachmentsStore.ts'
import { addAttachments } from './uploadAttachment.ts'

const { newRun: texts } = messages

/** @param isAccepted whether the form takes files now. Others are left to the browser */
export function useAttachments(isAccepted = true) {
  const [{ files }, store] = useLocalStore(createAttachmentsStore)
  const add = (event: Event, list: FileList | undefined) => {
    if (!isAccepted || list === undefined || list.length === 0) return
    event.preventDefault()
    addAttachments([...list], store)
  }
  return {
    files,
    store,
    handlers: {
      onDragOver: (event: TargetedDragEvent<HTMLElement>) => event.preventDefault(),
      onDrop: (event: TargetedDragEvent<HTMLElement>) => add(event, event.dataTransfer?.files),
      onPaste: (event: TargetedClipboardEvent<HTMLElement>) => add(event, event.clipboardData?.files),
    },
    /** @throws ApiError if an upload has not ended or has failed */
    requireUploaded(): string[] {
      if (files.some(({ id, error }) => id === undefined && !error))
        throw new ApiError('BAD_USER_INPUT', texts.stillUploading)
      if (files.some(({ error }) => error)) throw new ApiError('BAD_USER_INPUT', texts.uploadFailed)
      return files.flatMap(({ id }) => id ?? [])
    },
  }
}
