/** Shows a lifecycle in Stately's inspector, for developers of its machine. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Definitions, Transition } from '../../../inspect/translate.ts'
import { ApiError } from '../data/apiError.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { createInspectionStore } from './inspectionStore.ts'

const texts = messages.inspect

/** The default address of the package. */
const defaultAddress = 'https://stately.ai/inspect'

interface InspectButtonProps {
  readonly id: string
  readonly transitions: readonly Transition[]
  /** Whether the transitions are all that the page keeps. */
  readonly isComplete: boolean
  readonly definitions: Definitions
}

export function InspectButton({ id, transitions, isComplete, definitions }: InspectButtonProps) {
  const { dialog, open, close } = useDialog<'start'>()
  const [context, { trigger }] = useLocalStore(createInspectionStore)
  const inspection = 'inspection' in context ? context.inspection : undefined
  const loadedModule = useRef<Promise<typeof import('./inspection.ts')>>(undefined)
  useEffect(() => {
    if (isComplete) inspection?.send(transitions, definitions)
  }, [inspection, isComplete, transitions, definitions])
  useEffect(() => () => inspection?.stop(), [inspection])

  const openDialog = () => {
    // Loaded now, so that the click can open the window at once. Browsers block windows that no click opened.
    loadedModule.current = import('./inspection.ts')
    loadedModule.current.catch(() => {})
    open('start')
  }
  const start = async (text: string) => {
    const address = parseAddress(text)
    const { openInspection } = (await loadedModule.current) ?? (await import('./inspection.ts'))
    trigger.started({
      inspection: openInspection(id, address, trigger.connected, trigger.windowClosed),
      host: address.host,
    })
  }
  return (
    <>
      <div class="chart-tools">
        <button
          type="button"
          class="quiet"
          disabled={!isComplete || definitions.size === 0}
          onClick={() => (inspection === undefined ? openDialog() : trigger.stopped())}
        >
          {inspection === undefined ? texts.start : texts.disconnect}
        </button>
        <span class="hint" role="status">
          {context.status === 'connecting' && format(texts.connecting, { host: context.host })}
          {context.status === 'connected' &&
            format(texts.sent, { host: context.host, sequence: transitions.at(-1)?.sequence ?? 0 })}
          {context.status === 'windowClosed' && texts.closed}
        </span>
      </div>
      {dialog && <InspectDialog onStart={start} onClose={close} />}
    </>
  )
}

function InspectDialog({ onStart, onClose }: { onStart(address: string): Promise<void>; onClose(): void }) {
  const [address, setAddress] = useState(defaultAddress)
  const host = parseUrl(address)?.host || texts.addressBelow
  return (
    <ConfirmDialog
      title={texts.start}
      confirmLabel={texts.open}
      onClose={onClose}
      onConfirm={async (formData) => await onStart(String(formData.get('address')))}
    >
      <p>{formatParts(texts.description, { host: <b>{host}</b> })}</p>
      <div class="field">
        <label for="inspector-address">
          {texts.address} <span class="hint">{texts.addressHint}</span>
        </label>
        <input
          id="inspector-address"
          name="address"
          type="url"
          required
          maxLength={2_000}
          autoComplete="off"
          value={address}
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** @throws ApiError if it is not the address of a page */
function parseAddress(text: string): URL {
  const url = parseUrl(text)
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return url
  throw new ApiError('BAD_USER_INPUT', texts.invalidAddress, {
    field: 'address',
  })
}
