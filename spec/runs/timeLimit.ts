/** The number of seconds after which a run is TIMED_OUT if the request does not set one. */
export const defaultTimeoutSeconds = 4 * 3_600
