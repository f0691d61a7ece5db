/** A form with an action. A refusal is shown at its field, or otherwise below the fields. */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { type Refusal, refusalOf } from '../data/ask.ts'
import { Refused } from './Notice.tsx'

export interface DoingState {
  readonly working: boolean
  readonly refusal: Refusal | undefined
  /** Whether the refusal concerns one of the fields. */
  readonly atField: boolean
  submit(form: HTMLFormElement): void
}

/** @param done called after success, when the form has been cleared */
export function useDoing(doIt: (given: FormData) => Promise<void>, done: () => void): DoingState {
  const [state, setState] = useState<Omit<DoingState, 'submit'>>({
    working: false,
    refusal: undefined,
    atField: false,
  })
  const submit = (form: HTMLFormElement) => {
    if (state.working) return
    setState({ working: true, refusal: undefined, atField: false })
    doIt(new FormData(form)).then(
      () => {
        form.reset()
        setState({ working: false, refusal: undefined, atField: false })
        done()
      },
      (error: unknown) => {
        const refusal = refusalOf(error)
        const field = refusal.field === '' ? null : form.elements.namedItem(refusal.field)
        // Only a `Field` shows its own problem.
        const atField = field instanceof HTMLInputElement && field.id === `field-${refusal.field}`
        setState({ working: false, refusal, atField })
        if (field instanceof HTMLInputElement) field.focus()
      },
    )
  }
  return { ...state, submit }
}

const said = createContext<Refusal | undefined>(undefined)

export function Doing({
  doing: { refusal, atField },
  children,
}: {
  readonly doing: DoingState
  readonly children: ComponentChildren
}) {
  return (
    <said.Provider value={atField ? refusal : undefined}>
      {children}
      {refusal && !atField && <Refused refusal={refusal} />}
    </said.Provider>
  )
}

/** Returns the problem of a field. Empty if there is none. */
export function useProblem(name: string): string {
  const refusal = useContext(said)
  if (refusal === undefined || refusal.field !== name) return ''
  return refusal.problem === '' ? refusal.message : `It ${refusal.problem}.`
}
