/** The steps of an actor: those that are stored, then each as it is taken. */
import { useEffect, useState } from 'preact/hooks'
import { ask, Refusal } from './ask.ts'
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
  readonly timers: {
    readonly set: readonly { readonly event: string; readonly due: number }[]
    readonly canceled: readonly string[]
  }
  readonly effects: readonly { readonly id: string; readonly type: string; readonly to?: string }[]
  readonly cause: { readonly type: string; readonly id?: string; readonly reason?: string }
  readonly principal: string
  readonly requestId: string
  readonly machineHash: string
}

const fields = 'sequence at event payload from to status change timers effects cause principal requestId machineHash'
const stored = `query ($id: ID!, $after: String) { actorHistory(id: $id, first: 100, after: $after) {
  nodes { ${fields} } pageInfo { hasNextPage endCursor }
} }`
const live = `subscription ($id: ID!, $after: Int) { actorTransitioned(id: $id, afterSequence: $after) { ${fields} } }`

interface Page {
  readonly actorHistory: {
    readonly nodes: readonly Step[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

export function useHistory(id: string): { readonly steps: readonly Step[]; readonly refusal: Refusal | undefined } {
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [refusal, setRefusal] = useState<Refusal>()
  const returned = returns.value
  // It is read anew when the line has come back.
  useEffect(() => {
    let current = true
    let end = () => {}
    const add = (more: readonly Step[]) =>
      setSteps((before) => {
        const last = before.at(-1)?.sequence ?? 0
        return [...before, ...more.filter(({ sequence }) => sequence > last)]
      })
    const read = async () => {
      let last = 0
      for (let after: string | null = null; ; ) {
        const page: Page = await ask<Page>(stored, { id, after })
        if (!current) return
        const { nodes, pageInfo } = page.actorHistory
        add(nodes)
        last = nodes.at(-1)?.sequence ?? last
        after = pageInfo.endCursor
        if (!pageInfo.hasNextPage || after === null) break
      }
      end = follow<{ actorTransitioned: Step }>(live, { id, after: last }, ({ actorTransitioned }) =>
        add([actorTransitioned]),
      )
    }
    read().catch((error: unknown) => {
      if (current) setRefusal(error instanceof Refusal ? error : new Refusal('INTERNAL', String(error)))
    })
    return () => {
      current = false
      end()
    }
  }, [id, returned])
  return { steps, refusal }
}
