/** The devices of a machine to which builds are deployed, as its agent last reported them. */
import type { Json } from '../../spec/core/actor.ts'
import type { Members } from '../framework/members.ts'
import { agentMembers } from './agentKeys.ts'

export interface AgentDestinations {
  /** When they were reported, ms. */
  readonly at: number
  readonly destinations: readonly {
    readonly kind: 'ANDROID_DEVICE' | 'IOS_SIMULATOR' | 'IOS_DEVICE'
    /** The serial number or UDID. */
    readonly id: string
    readonly name: string
    /** The reason why it cannot be used. */
    readonly problem?: string | null
  }[]
}

export function noteDestinations(members: Members, destinations: Json, at: number): Members {
  return members.with(agentMembers.destinations, { at, destinations })
}
