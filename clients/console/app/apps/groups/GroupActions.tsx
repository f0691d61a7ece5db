/** The buttons with which a person acknowledges, resolves or opens a group. Its status decides which of them are shown. */
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useRequest } from '../../state/requestStore.ts'
import { acknowledgeMutation, type CrashGroup, resolveMutation } from './crashGroup.ts'

const texts = messages.crashGroups

interface GroupActionsProps {
  readonly group: Pick<CrashGroup, 'id' | 'status'>
}

export function GroupActions({ group: { id, status } }: GroupActionsProps) {
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const isBusy = requestStatus === 'pending'
  const acknowledge = () => void send(requestGraphql(acknowledgeMutation, { id }))
  const resolve = () => void send(requestGraphql(resolveMutation, { id }))
  if (status === 'EMPTY') return null
  return (
    <div class="run-actions">
      {status !== 'ACKNOWLEDGED' && (
        <ActionButton look={status === 'RESOLVED' ? 'quiet' : 'primary'} isBusy={isBusy} onClick={acknowledge}>
          {status === 'RESOLVED' ? texts.reopen : texts.acknowledge}
        </ActionButton>
      )}
      {status !== 'RESOLVED' && (
        <ActionButton isBusy={isBusy} onClick={resolve}>
          {texts.resolve}
        </ActionButton>
      )}
      {error && <ErrorMessage error={error} />}
    </div>
  )
}
