/** A switch with the server's value. It changes when the server has confirmed the change. */
import { useState } from 'preact/hooks'
import { type Refusal, refusalOf } from '../data/ask.ts'
import { Refused } from './Notice.tsx'

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly hint: string
  /** @throws Refusal */
  turn(on: boolean): Promise<void>
}

export function Switch({ label, on, hint, turn }: SwitchProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [working, setWorking] = useState(false)
  const turned = () => {
    if (working) return
    setWorking(true)
    setRefusal(undefined)
    turn(!on)
      .catch((error: unknown) => setRefusal(refusalOf(error)))
      .finally(() => setWorking(false))
  }
  const name = `switch-${label.replaceAll(' ', '-')}`
  return (
    <div class="switched">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-busy={working}
        aria-labelledby={name}
        aria-describedby={`${name}-hint`}
        onClick={turned}
      />
      <span id={name} class="name">
        {label}
      </span>
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
      {refusal && <Refused refusal={refusal} />}
    </div>
  )
}
