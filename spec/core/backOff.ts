/** Computes the pause before failed work is retried: exponential back-off. */
export interface BackOffPolicy {
  /** The pause after the first failure, milliseconds. */
  readonly firstMs: number
  /** The ratio of each further pause to the one before. */
  readonly factor: number
  /** No pause is longer, milliseconds. */
  readonly mostMs: number
  /**
   * The part of each pause that is random, from 0 to 1, so that many callers that failed together do not try again together. With 0, each
   * pause is exactly that of the policy. With 0.5, it is between half of it and all of it. With 1, it is between nothing and all of it.
   */
  readonly jitter: number
}

/**
 * The pause before the next try, in milliseconds: at most `mostMs`, and not rounded.
 * @param failures in a row, from 1
 * @param random 0 to 1; not called if the policy has no jitter
 */
export function backOffMs(policy: BackOffPolicy, failures: number, random: () => number = Math.random): number {
  const { firstMs, factor, mostMs, jitter } = policy
  const pauseMs = Math.min(mostMs, firstMs * factor ** (failures - 1))
  return jitter === 0 ? pauseMs : pauseMs * (1 - jitter + jitter * random())
}
