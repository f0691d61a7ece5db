/** The strip of an actor's states, read from its history. It is read again when the status changes. */
import { useEffect, useRef } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { listPassedStates, type PassedState, withCurrentStatus } from './passedStates.ts'
import { StateStrip } from './StateStrip.tsx'

/** The latest 100 transitions, without their data. */
const statesQuery = graphql(`query ($id: ID!) {
  actor(id: $id) { terminal }
  actorHistory(id: $id, last: 100) { nodes { status at } pageInfo { hasPreviousPage } }
}`)

interface StateHistoryStripProps {
  readonly id: string
  /** The current status. */
  readonly status: string
  /** The address of the statechart. */
  readonly href: string
  /** Shown until the history has been read. */
  readonly knownStates?: readonly PassedState[]
}

export function StateHistoryStrip({ id, status, href, knownStates = [] }: StateHistoryStripProps) {
  const { data, refresh } = useQuery(statesQuery, { id })
  const readFor = useRef(status)
  useEffect(() => {
    if (readFor.current !== status) refresh()
    readFor.current = status
  }, [status])
  const states = data ? listPassedStates(data.actorHistory.nodes, data.actor?.terminal ?? false) : knownStates
  return (
    <StateStrip
      states={withCurrentStatus(states, status)}
      href={href}
      hasEarlier={data?.actorHistory.pageInfo.hasPreviousPage ?? false}
    />
  )
}
