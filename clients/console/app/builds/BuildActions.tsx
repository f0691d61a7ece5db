/** The actions on a build: cancel it, or build again when it has ended. */
import { useMemo } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { navigate } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'
import { type Build, hasEnded, rebuildMutation } from './build.ts'
import { CancelBuildDialog } from './CancelBuildDialog.tsx'

const texts = messages.builds

export function BuildActions({ build }: { readonly build: Build }) {
  return <div class="run-actions">{hasEnded(build) ? <Rebuild id={build.id} /> : <Cancel build={build} />}</div>
}

function Rebuild({ id }: { readonly id: string }) {
  const keys = useMemo(createRepeatKeys, [])
  const { status, error, send } = useRequest<void>()
  const start = async () => {
    const request = { buildId: id }
    const { rebuild } = await keys.send(request, (idempotencyKey) =>
      requestGraphql(rebuildMutation, { input: { ...request, idempotencyKey } }),
    )
    navigate(`/builds/${rebuild.build.id}`)
  }
  return (
    <>
      <ActionButton isBusy={status === 'pending'} onClick={() => void send(start())}>
        {texts.rebuild}
      </ActionButton>
      {error && <ErrorMessage error={error} />}
    </>
  )
}

function Cancel({ build: { id, name, displayNumber, status } }: { readonly build: Build }) {
  const { dialog, open, close } = useDialog<'cancel'>()
  if (status === 'CANCELING') return null
  return (
    <>
      <ActionButton look="danger" onClick={() => open('cancel')}>
        {texts.cancel}
      </ActionButton>
      {dialog && <CancelBuildDialog id={id} name={`${name} ${displayNumber}`} onClose={close} />}
    </>
  )
}
