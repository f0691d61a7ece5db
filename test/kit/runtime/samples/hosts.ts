/** Samples of repository hosts. */
import { at, refusal } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

export const hosts = {
  integration: {
    init: { provider: 'GITHUB', scheme: 'GITHUB_SIGNATURE', name: 'i', createdBy: 'usr_1', createdAt: at },
    events: {
      setSecret: { secret: 's1' },
      'setSecret again': { secret: 's2' },
      finishRotation: {},
      'reseal the present one': { from: 's1', to: 's1 re-encrypted' },
      'reseal what is gone': { from: 's0', to: 's0 re-encrypted' },
      delivered: { deliveryId: 'whd_1', receivedAt: at, secretSetAt: null },
      delete: {},
    },
  },
  webhookDelivery: {
    init: {
      integrationId: 'int_1',
      provider: 'GITHUB',
      deliveryId: 'd',
      event: 'push',
      headers: {},
      size: 2,
      sha256: 'h',
      receivedAt: at,
      push: {
        repositoryId: 'rep_1',
        branch: 'main',
        commit: 'c',
        targets: [{ buildConfigurationId: 'bcf_1', worktreeId: 'wt_1' }],
        omitted: 0,
      },
    },
    events: { recorded: {}, 'refused delivered': { ...refusal, sent: 'delivered', echo: null } },
  },
  pushBuild: {
    init: {
      deliveryId: 'whd_1',
      integrationId: 'int_1',
      buildConfigurationId: 'bcf_1',
      worktreeId: 'wt_1',
      branch: 'main',
      commit: 'c',
      createdAt: at,
    },
    events: {
      requestAnswered: { request: null, answer: { build: { id: 'bld_1' } } },
      requestRefused: { request: null, code: 'FAILED_PRECONDITION', message: 'No.' },
      effectFailed: { effectId: 'pbd_1:1:0', effect: 'requestOperation', problem: 'down' },
      effectRecovered: { effectId: 'pbd_1:1:0' },
      effectGivenUp: { effectId: 'pbd_1:1:0' },
    },
  },
} satisfies AreaSamples
