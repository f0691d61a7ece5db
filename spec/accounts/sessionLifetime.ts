/** The lifetime of a session: on the server, and as a cookie in the browser. */
const day = 86_400_000

/** Milliseconds from its last renewal. */
export const sessionLifetimeMs = 30 * day

/** Milliseconds within which its use renews it at most once. */
export const sessionRenewalMs = day
