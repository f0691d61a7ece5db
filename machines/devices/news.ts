/**
 * A piece of news for users, which all users see as a notification. The effect `notify` of the actor that the news is about creates it, once.
 * Which of them a user has read is in that user's own `readMarks`.
 */
import { setup } from 'xstate'
import type { ActorEvent } from '../../spec/core/actor.ts'
import type { News } from '../../spec/devices/news.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type NewsInit = {
  /** The ID of the effect that created it. */
  readonly cause: string
  readonly subject: { readonly kind: string; readonly id: string }
  readonly news: News
  /** The name of the agent, if the news is about work on an agent. */
  readonly agent: string | null
  readonly createdAt: number
}

interface NewsContext extends MachineContext {
  readonly init: NewsInit
}

const machine = setup({ types: typesOf<NewsContext, ActorEvent>() }).createMachine({
  id: 'news',
  context: ({ input: { init } }) => ({ init }),
  initial: 'PUBLISHED',
  states: { PUBLISHED: { tags: 'terminal', meta: { label: 'Published' } } },
})

export const news = define({
  kind: 'news',
  version: 1,
  machine,
  effects: ['tell'],
  // An effect that is delivered twice publishes its news once.
  columns: ({ context: { init } }) => ({ uniqueKey: init.cause }),
  operable: false,
})
