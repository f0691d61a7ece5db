/**
 * Shares payloads between subscriptions. An item is executed and serialized once for each group of subscriptions that have the same
 * document and the same variables, except for the resume position.
 */
import { type ExecutionResult, execute } from 'graphql'
import { verdict } from '../../spec/core/principal.ts'
import type { Subscription, TopicItem } from '../operations/handler.ts'
import { sortedJson } from '../operations/idempotency.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import { contextValue } from './contextValue.ts'
import type { GraphqlEngine } from './engine.ts'
import type { Prepared } from './pipeline/prepared.ts'

/**
 * One of:
 * - JSON of `{ data }` with the closing brace of the message around it, as it is sent to all members
 * - a result with errors, whose text contains the request ID
 * - undefined: nothing to send
 */
export type Payload = Buffer | ExecutionResult | undefined

export interface Subscribing {
  readonly operation: Subscription
  readonly prepared: Prepared
  /** As the caller sent them. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly input: Readonly<Record<string, unknown>>
  readonly context: RequestContext
}

/** Input fields that set where a subscription resumes and do not affect its payloads. */
const resumeFields: ReadonlySet<string> = new Set(['afterSequence', 'after'])

/**
 * The number of payloads that are cached by name. Items that were read from storage are different objects for each reader, so the
 * latest payloads are also found by name.
 */
const rememberedByName = 256

export class PayloadGroups {
  readonly #engine: GraphqlEngine
  readonly #groups = new Map<string, Group>()

  constructor(engine: GraphqlEngine) {
    this.#engine = engine
  }

  /** The caller must call `leave` when the subscription ends. */
  join(subscribing: Subscribing): Group {
    // The payloads of agents are not shared: each agent has its own.
    if (verdict('people', subscribing.context.principal.kind) !== 'allowed')
      return new Group(this.#engine, subscribing, undefined)
    const key = groupKey(subscribing)
    let group = this.#groups.get(key)
    if (!group) {
      group = new Group(this.#engine, subscribing, () => this.#groups.delete(key))
      this.#groups.set(key, group)
    }
    group.members++
    return group
  }
}

function groupKey({ operation, prepared, variables, input }: Subscribing): string {
  const resume = resumeVariables(prepared)
  const rest = Object.entries(variables).filter(([name]) => !resume.has(name))
  const own = Object.entries(input).filter(([name]) => !resumeFields.has(name))
  // The payloads of people do not depend on the principal, so the key does not contain it.
  const name = prepared.operation.name?.value ?? null
  return sortedJson([operation.name, prepared.text, name, rest.sort(), own.sort()])
}

/** Returns the variables that are used only as a resume position. */
function resumeVariables({ operation, text }: Prepared): ReadonlySet<string> {
  const names = new Set<string>()
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== 'Field') continue
    for (const argument of selection.arguments ?? []) {
      if (argument.value.kind !== 'Variable' || !resumeFields.has(argument.name.value)) continue
      const name = argument.value.name.value
      // Its definition and this use. A third occurrence means that it has another use too.
      if (text.match(new RegExp(`\\$${name}\\b`, 'g'))?.length === 2) names.add(name)
    }
  }
  return names
}

/** The payloads that were built for the group, by the item's object and by its name. */
interface Shared {
  readonly byObject: WeakMap<object, Payload | Promise<Payload>>
  readonly byName: Map<string, Payload | Promise<Payload>>
  empty(): void
}

export class Group {
  members = 0
  readonly #engine: GraphqlEngine
  readonly #of: Subscribing
  readonly #shared: Shared | undefined

  /** @param empty called when the last member leaves. If undefined, nothing is shared. */
  constructor(engine: GraphqlEngine, of: Subscribing, empty: (() => void) | undefined) {
    this.#engine = engine
    this.#of = of
    this.#shared = empty && { empty, byObject: new WeakMap(), byName: new Map() }
  }

  leave(): void {
    if (--this.members === 0) this.#shared?.empty()
  }

  /** @param topic distinguishes items of different actors or streams that have the same sequence */
  payload(item: TopicItem, topic: string): Payload | Promise<Payload> {
    if (this.#shared === undefined) return this.#make(item)
    const { byObject, byName } = this.#shared
    const object = objectOf(item)
    if (byObject.has(object)) return byObject.get(object)
    const name = `${topic} ${nameOf(item)}`
    const known = byName.get(name)
    if (known !== undefined) return known
    const made = this.#make(item)
    byObject.set(object, made)
    byName.set(name, made)
    if (byName.size > rememberedByName) {
      const [oldest = name] = byName.keys()
      byName.delete(oldest)
    }
    if (made instanceof Promise) {
      made.then(
        (done) => byObject.set(object, done),
        () => {},
      )
    }
    return made
  }

  #make(item: TopicItem): Payload | Promise<Payload> {
    const { operation, input, context } = this.#of
    const payload = operation.payload(item, input as never, context)
    return payload instanceof Promise ? payload.then((value) => this.#execute(value)) : this.#execute(payload)
  }

  #execute(payload: unknown): Payload | Promise<Payload> {
    if (payload === undefined) return undefined
    const { operation, prepared, variables, context } = this.#of
    const result = execute({
      schema: this.#engine.schema,
      document: prepared.document,
      operationName: prepared.operation.name?.value ?? null,
      rootValue: { [operation.name]: payload },
      variableValues: variables,
      contextValue: contextValue(context),
    }) as ExecutionResult | Promise<ExecutionResult>
    return result instanceof Promise ? result.then(serialized) : serialized(result)
  }
}

function serialized(result: ExecutionResult): Payload {
  return result.errors ? result : Buffer.from(`${JSON.stringify({ data: result.data })}}`)
}

function objectOf(item: TopicItem): object {
  switch (item.type) {
    case 'entry':
      return item.entry
    case 'transition':
      return item.transition
    case 'telemetry':
      return item.record
    case 'row':
      return item.row
    case 'value':
      return item.value
  }
}

function nameOf(item: TopicItem): string {
  if (item.type === 'entry') return `entry ${item.entry.sequence}`
  if (item.type === 'telemetry') return `telemetry ${item.record.number}`
  if (item.type === 'value') return `value ${item.version}`
  const { id, seq } = item.type === 'transition' ? item.transition : item.row
  return `${item.type} ${id} ${seq}`
}

export function sequenceOf(item: TopicItem): number {
  switch (item.type) {
    case 'entry':
      return item.entry.sequence
    case 'transition':
      return item.transition.seq
    case 'telemetry':
      return item.record.number
    case 'row':
      return item.row.seq
    case 'value':
      return item.version
  }
}
