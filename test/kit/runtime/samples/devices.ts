/** Samples of devices and what is sent to them. */
import { at } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const told = {
  identifiers: { udid: 'u', serial: null },
  model: { product: 'iPhone15,2', osVersion: '22F76' },
  ownName: 'o',
}

export const devices = {
  news: {
    init: {
      cause: 'run_1:4:0',
      subject: { kind: 'run', id: 'run_1' },
      news: { reason: 'RUN_ENDED', at, name: 't', status: 'FAILED', run: { kind: 'SESSION', number: 1 } },
      agent: 'a',
      createdAt: at,
    },
    events: { change: {} },
  },
  readMarks: {
    init: { userId: 'usr_1', createdAt: at },
    events: {
      read: { newsIds: ['nws_1', 'nws_3'] },
      readUpTo: { newsId: 'nws_2' },
    },
  },
  apnsDevice: {
    init: {
      environment: 'SANDBOX',
      topic: 'org.example.app',
      clientRegistrationId: 'c',
      token: 't',
      details: { displayName: 'Phone', supportedPushTypes: ['alert'] },
      createdAt: at,
    },
    events: { register: { token: 'u', details: { displayName: 'Phone' } } },
  },
  notificationDevice: {
    init: {
      environment: 'SANDBOX',
      topic: 'org.example.app',
      clientRegistrationId: 'c',
      token: 't',
      details: { displayName: 'Phone' },
      userId: 'usr_1',
      sessionId: 'ase_1',
      createdAt: at,
    },
    events: {
      register: { token: 'u', details: { displayName: 'Phone' }, userId: 'usr_2', sessionId: 'ase_2' },
      tokenGone: { revision: 1, reason: 'Unregistered' },
      'tokenGone of an earlier registration': { revision: 0, reason: 'Unregistered' },
      sessionOver: { sessionId: 'ase_1' },
      'sessionOver of another': { sessionId: 'ase_0' },
      remove: {},
    },
  },
  notification: {
    init: {
      deviceId: 'ntd_1',
      subject: { kind: 'run', id: 'run_1' },
      news: {
        reason: 'RUN_ENDED',
        at,
        name: 't',
        status: 'FAILED',
        run: { kind: 'SESSION', number: 1 },
        agentId: 'agt_1',
      },
      agent: 'a',
      createdAt: at,
    },
    events: {
      sent: {},
      pushRefused: { reason: 'PayloadTooLarge', gone: null },
      'pushRefused for ever': { reason: 'Unregistered', gone: 1 },
      pushDeferred: { reason: 'ServiceUnavailable', retryAfterMs: null },
      'pushDeferred for a while': { reason: 'TooManyRequests', retryAfterMs: 60_000 },
      effectFailed: { effectId: 'e', effect: 'push', problem: 'p' },
      effectRecovered: { effectId: 'e' },
      effectGivenUp: { effectId: 'e' },
    },
  },
  device: {
    init: { udidHash: 'h', createdAt: at },
    events: {
      enrolled: { ...told, displayName: null, enrollment: { id: 'den_1', at, by: 'usr_1' } },
      'enrolled later': { ...told, displayName: 'd', enrollment: { id: 'den_2', at: at + 60, by: 'usr_2' } },
      rename: { displayName: 'n' },
      'rename at revision 9': { displayName: 'late', expectedRevision: 9 },
      'rename as it is at revision 9': { displayName: 'n', expectedRevision: 9 },
      'remove at revision 9': { expectedRevision: 9 },
      remove: {},
    },
  },
  deviceEnrollment: {
    init: {
      tokenHash: 'h',
      challenge: 'sealed',
      origin: 'https://box.example',
      displayName: null,
      startedBy: 'usr_1',
      createdAt: at,
      expiresAt: at + 900_000,
    },
    events: {
      send: {},
      answer: { ...told, deviceId: 'dev_1' },
      'answer of another device': { ...told, deviceId: 'dev_2' },
      reject: { problem: 'no' },
    },
  },
} satisfies AreaSamples
