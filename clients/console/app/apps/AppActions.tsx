/** The actions on an app: rename, archive, restore, and claim it if only reports without an API key have named it. */
import { useMemo } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { NameDialog } from '../parts/forms/NameDialog.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { showControls } from '../parts/splitControls.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'
import { type App, archiveMutation, createMutation, renameMutation, restoreMutation } from './app.ts'

const texts = messages.apps

interface ActionsProps {
  readonly app: App
}

export function AppActions({ app }: ActionsProps) {
  if (app.status === 'ARCHIVED') return <Restore id={app.id} />
  if (app.status === 'UNCLAIMED') return <Claim app={app} />
  return <RenameAndArchive app={app} />
}

function Restore({ id }: { readonly id: string }) {
  const { status, error, send } = useRequest<unknown>()
  const restore = () => requestGraphql(restoreMutation, { input: { appId: id } })
  return (
    <div class="run-actions">
      <ActionButton isBusy={status === 'pending'} onClick={() => void send(restore())}>
        {texts.restore}
      </ActionButton>
      {error && <ErrorMessage error={error} />}
    </div>
  )
}

function Claim({ app: { bundleIdentifier, name } }: ActionsProps) {
  const keys = useMemo(createRepeatKeys, [])
  const { dialog, open, close } = useDialog<'claim'>()
  return (
    <div class="run-actions">
      <ActionButton look="primary" onClick={() => open('claim')}>
        {texts.claim}
      </ActionButton>
      {dialog && (
        <NameDialog
          title={texts.claim}
          label={texts.name}
          name={name}
          onClose={close}
          onName={async (chosen) => {
            const request = { bundleIdentifier, name: chosen }
            await keys.send(request, (idempotencyKey) =>
              requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
            )
          }}
        />
      )}
    </div>
  )
}

function RenameAndArchive({ app: { id: appId, name, revision } }: ActionsProps) {
  const { dialog, open, close } = useDialog<'rename' | 'archive'>()
  return (
    <div class="run-actions">
      <ActionButton onClick={() => open('rename')}>{texts.rename}</ActionButton>
      <ActionButton look="danger" onClick={() => open('archive')}>
        {texts.archive}
      </ActionButton>
      {dialog === 'rename' && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          name={name}
          onClose={close}
          onName={async (changed) => {
            await requestGraphql(renameMutation, { input: { appId, name: changed, expectedRevision: revision } })
          }}
        >
          <p class="hint">{texts.renameHint}</p>
        </NameDialog>
      )}
      {dialog === 'archive' && (
        <ConfirmDialog
          title={format(texts.archiveTitle, { name: showControls(name) })}
          confirmLabel={texts.archive}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(archiveMutation, { input: { appId } })
          }}
        >
          <p>{texts.archiveHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
