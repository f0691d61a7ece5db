/** The transitions of an actor: the latest stored ones, then each new one. */
import { useEffect, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from './ask.ts'
import { follow, returns } from './live.ts'

export interface Step {
  readonly sequence: number
  readonly at: string
  readonly event: string
  readonly payload: unknown
  readonly from: unknown
  readonly to: unknown
  readonly status: string
  readonly change: unknown
  readonly timersSet: readonly { readonly event: string; readonly due: string }[]
  readonly timersCanceled: readonly string[]
  readonly effects: readonly { readonly id: string; readonly type: string; readonly to: string | null }[]
  readonly effectCount: number
  readonly cause: { readonly type: string; readonly reason: string | null }
  readonly principal: string
  readonly requestId: string
  readonly machineHash: string
}

const fields = `sequence at event payload from to status change timersSet { event due } timersCanceled
  effects { id type to } effectCount cause { type reason } principal requestId machineHash`
const stored = `query ($id: ID!, $before: String) { actorHistory(id: $id, last: 100, before: $before) {
  nodes { ${fields} } pageInfo { hasPreviousPage startCursor }
} }`
const live = `subscription ($id: ID!, $after: Int) { actorTransitioned(of: { actor: { id: $id, afterSequence: $after } }) { ${fields} } }`

/** An agent that has existed for a year has more transitions than a user scrolls through. */
const most = 1_000

interface Page {
  readonly actorHistory: {
    readonly nodes: readonly Step[]
    readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null }
  }
}

export interface History {
  readonly steps: readonly Step[]
  /** Whether these are all transitions that the page keeps. During the read, the oldest are missing. */
  readonly whole: boolean
  readonly refusal: Refusal | undefined
}

export function useHistory(id: string): History {
  const [whole, setWhole] = useState(false)
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [refusal, setRefusal] = useState<Refusal>()
  const returned = returns.value
  // It is read again after a reconnect.
  useEffect(() => {
    let current = true
    let end = () => {}
    setWhole(false)
    const read = async () => {
      const pages: (readonly Step[])[] = []
      for (let before: string | null = null; pages.length < most / 100; ) {
        const { actorHistory }: Page = await ask<Page>(stored, { id, before })
        if (!current) return
        pages.unshift(actorHistory.nodes)
        setSteps(pages.flat())
        before = actorHistory.pageInfo.startCursor
        if (!actorHistory.pageInfo.hasPreviousPage || before === null) break
      }
      setWhole(true)
      const after = pages.at(-1)?.at(-1)?.sequence ?? 0
      end = follow<{ actorTransitioned: Step }>(live, { id, after }, ({ actorTransitioned: step }) =>
        setSteps((known) => (step.sequence > (known.at(-1)?.sequence ?? 0) ? [...known, step] : known)),
      )
    }
    read().catch((error: unknown) => {
      if (current) setRefusal(refusalOf(error))
    })
    return () => {
      current = false
      end()
    }
  }, [id, returned])
  return { steps, whole, refusal }
}
