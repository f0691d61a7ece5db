/** A switch with the server's value. It changes when the server has confirmed the change. */
import { useRequest } from '../../state/requestStore.ts'
import { ErrorMessage } from '../notices/ErrorMessage.tsx'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly hint: string
  /** @throws ApiError */
  onToggle(isOn: boolean): Promise<void>
}

export function Switch({ label, isOn, hint, onToggle }: SwitchProps) {
  const { status, error, send } = useRequest<void>()
  const isWorking = status === 'pending'
  const name = `switch-${label.replaceAll(' ', '-')}`
  return (
    <div class="switch-setting">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOn}
        aria-busy={isWorking}
        aria-labelledby={name}
        aria-describedby={`${name}-hint`}
        onClick={() => isWorking || void send(onToggle(!isOn))}
      />
      <span id={name} class="name">
        {label}
      </span>
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
      {error && <ErrorMessage error={error} />}
    </div>
  )
}
