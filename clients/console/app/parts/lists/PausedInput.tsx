/** A text filter in the address. The server is asked when the user pauses. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { setFilters } from '../../router.ts'

/** Milliseconds without a new letter before the server is asked. */
const pauseMs = 200

interface PausedInputProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly maxLength: number
}

export function PausedInput({ name, label, value, maxLength }: PausedInputProps) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A link or a saved view has changed the address.
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={text}
      onInput={({ currentTarget }) => {
        const typed = currentTarget.value
        setText(typed)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setFilters({ [name]: typed.trim() }), pauseMs)
      }}
    />
  )
}
