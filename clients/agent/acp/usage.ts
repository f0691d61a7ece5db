import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER))
const cached = v.nullish(count)

/** The unstable part of ACP, which Qwen Code sends as `_meta` of a message. */
const AcpUsage = v.object({ inputTokens: count, outputTokens: count, cachedReadTokens: cached })
/** Gemini CLI. */
const Quota = v.object({ token_count: v.object({ input_tokens: count, output_tokens: count }) })
const Cost = v.object({ amount: count, currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)) })

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null if the CLI does not report them. */
  readonly cachedInputTokens: number | null
}

export interface RunUsage extends Tokens {
  readonly cost: v.InferOutput<typeof Cost> | null
}

/**
 * Adds up the token usage that a CLI reports: after each reply of its model, or in the response to a prompt, which is the sum of its
 * replies. The cost is reported as a sum over the session. A continued session begins with the cost of its former turns.
 */
export class UsageMeter {
  /** Of the prompts that were answered. */
  private answered: Tokens | undefined
  /** Of the replies since then. */
  private pending: Tokens | undefined
  private cost: v.InferOutput<typeof Cost> | undefined
  private costBefore = 0

  /** @param isRepeated whether the update repeats the former conversation */
  update(update: SessionUpdate, isRepeated: boolean): void {
    if (update.sessionUpdate === 'usage_update') this.cost = parse(Cost, update.cost) ?? this.cost
    if (update.sessionUpdate !== 'agent_message_chunk' || isRepeated) return
    this.pending = add(this.pending, toTokens(parse(AcpUsage, update._meta?.usage)))
  }

  /** Before the first prompt. */
  begin(): void {
    this.costBefore = this.cost?.amount ?? 0
  }

  answer(response: PromptResponse): void {
    const { usage, _meta } = response as PromptResponse & { readonly usage?: unknown }
    const quota = parse(Quota, _meta?.quota)?.token_count
    const reported =
      toTokens(parse(AcpUsage, usage)) ??
      (quota && { inputTokens: quota.input_tokens, outputTokens: quota.output_tokens, cachedInputTokens: null })
    this.answered = add(this.answered, reported ?? this.pending)
    this.pending = undefined
  }

  /** Undefined if the CLI has reported nothing. */
  get total(): RunUsage | undefined {
    const tokens = add(this.answered, this.pending)
    const { cost } = this
    if (tokens === undefined && cost === undefined) return undefined
    return {
      ...(tokens ?? { inputTokens: 0, outputTokens: 0, cachedInputTokens: null }),
      cost: cost === undefined ? null : { ...cost, amount: Math.max(0, cost.amount - this.costBefore) },
    }
  }
}

/** A CLI may send anything, so a value of another form counts as absent. */
function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(schema, value)
  return parsed.success ? parsed.output : undefined
}

const toTokens = (usage: v.InferOutput<typeof AcpUsage> | undefined): Tokens | undefined =>
  usage && {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.cachedReadTokens ?? null,
  }

function add(one: Tokens | undefined, other: Tokens | undefined): Tokens | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const isCached = one.cachedInputTokens !== null || other.cachedInputTokens !== null
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: isCached ? (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0) : null,
  }
}
