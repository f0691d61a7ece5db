/** How long a session lasts: on the server, and as its cookie in the browser. */
const day = 86_400_000

/** Milliseconds from its last renewal. */
export const sessionLifetimeMs = 30 * day

/** Milliseconds within which its use renews it at most once. */
export const sessionRenewalMs = day
