/** The rates that the gateway limits, except those that REST routes declare (`RestRate` in spec/rest/restRoute.ts). */
import type { Limits } from './limits.ts'
import type { RatePolicy } from './rateLimiter.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

export function ratePolicies(limits: Limits) {
  return {
    /** By principal. */
    graphqlPoints: { limit: limits.graphqlPointsPer5Minutes, windowMs: limits.pointsWindowMs, of: 'points' },
    /** By principal. */
    agentReports: { limit: limits.agentReportsPerMinute, windowMs: minuteMs, of: 'heartbeats and appends' },
    /** By principal. */
    toolCalls: { limit: limits.toolCallsPerMinute, windowMs: minuteMs, of: 'tool calls' },
    /** By address. */
    signUps: { limit: limits.signUpsPerMinute, windowMs: minuteMs, of: 'sign-ups from this address' },
    /** By address. */
    providerSignIns: {
      limit: limits.providerSignInsPerMinute,
      windowMs: minuteMs,
      of: 'sign-ins from this address',
    },
    /** By address. */
    failedSignIns: {
      limit: limits.signInFailuresPerMinute,
      windowMs: minuteMs,
      of: 'failed sign-ins from this address',
    },
    /** By account, and by account and address together. */
    failedSignInsToAccount: {
      limit: limits.signInFailuresPer5Minutes,
      windowMs: 5 * minuteMs,
      of: 'failed sign-ins to this account',
    },
    /** By address. */
    failedCredentials: {
      limit: limits.failedLookupsPerMinute,
      windowMs: minuteMs,
      of: 'failed credentials from this address',
    },
    /** By address. */
    failedWebhooks: {
      limit: limits.failedLookupsPerMinute,
      windowMs: minuteMs,
      of: 'unknown or unsigned webhooks from this address',
    },
    /** By address, in bytes. */
    crashReportBytes: {
      limit: limits.crashReportBytesPerDay,
      windowMs: dayMs,
      of: 'bytes of crash reports from this address',
    },
    /** By address, in bytes. */
    telemetryBytes: {
      limit: limits.telemetryBytesPerDay,
      windowMs: dayMs,
      of: 'bytes of telemetry from this address',
    },
  } as const satisfies Readonly<Record<string, RatePolicy>>
}
