/** The four providers as senders: their deliveries and their signatures. Written from their documentation, without the server's code. */
import { createHmac } from 'node:crypto'

export interface Envelope {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export interface Sending {
  readonly secret: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly id: string
  /** The exact body instead of the sample. */
  readonly body?: Buffer
}

export interface Sender {
  readonly provider: 'GITHUB' | 'GITLAB' | 'LINEAR' | 'BUILDKITE'
  readonly path: string
  readonly scheme?: 'STANDARD_WEBHOOKS' | 'GITLAB_TOKEN'
  /** Whether the signature covers the time of sending. */
  readonly timed: boolean
  /** Whether a delivery has an ID. */
  readonly named: boolean
  /** The headers that are needed for verification. */
  readonly proofs: readonly string[]
  /** The headers whose absence makes a genuine delivery incomplete. */
  readonly descriptions: readonly string[]
  readonly event: string
  /** A sample of the event. Each `nonce` gives another one. */
  sample(at: number, nonce: string): Buffer
  send(sending: Sending): Envelope
}

const hmac = (key: string | Buffer, ...parts: readonly (string | Buffer)[]) => {
  const made = createHmac('sha256', key)
  for (const part of parts) made.update(part)
  return made.digest()
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const seconds = (at: number): string => String(Math.floor(at / 1_000))

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads */
const github: Sender = {
  provider: 'GITHUB',
  path: 'github',
  timed: false,
  named: true,
  proofs: ['x-hub-signature-256'],
  descriptions: ['x-github-delivery', 'x-github-event'],
  event: 'issues',
  sample: (_, nonce) => json({ action: 'opened', issue: { number: 1347, title: nonce }, repository: { id: 1296269 } }),
  send({ secret, at, id, body = github.sample(at, id) }) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-delivery': id,
      'x-github-event': 'issues',
      'x-github-hook-id': '292430182',
      'x-hub-signature-256': `sha256=${hmac(secret, body).toString('hex')}`,
    }
    return { body, headers }
  },
}

/** https://docs.gitlab.com/user/project/integrations/webhook_events */
const push = (nonce: string) =>
  json({
    object_kind: 'push',
    event_name: 'push',
    before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
    after: nonce,
    ref: 'refs/heads/master',
    user_username: 'jsmith',
    project: { id: 15, name: 'Diaspora', path_with_namespace: 'mike/diaspora' },
    total_commits_count: 4,
  })

const gitlabHeaders = (id: string) => ({
  'content-type': 'application/json',
  'user-agent': 'GitLab/18.5.0',
  'x-gitlab-event': 'Push Hook',
  'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  'x-gitlab-webhook-uuid': '6a35eb5c-f3a0-4b2c-a2f1-0b8b5bb8a7ae',
  'idempotency-key': id,
})

const gitlabSigned: Sender = {
  provider: 'GITLAB',
  path: 'gitlab',
  scheme: 'STANDARD_WEBHOOKS',
  timed: true,
  named: true,
  proofs: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  descriptions: ['x-gitlab-event'],
  event: 'Push Hook',
  sample: (_, nonce) => push(nonce),
  send({ secret, at, id, body = gitlabSigned.sample(at, id) }) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = hmac(key, `${id}.${seconds(at)}.`, body).toString('base64')
    const headers = {
      ...gitlabHeaders(id),
      'webhook-id': id,
      'webhook-timestamp': seconds(at),
      'webhook-signature': `v1,${signature}`,
    }
    return { body, headers }
  },
}

const gitlabToken: Sender = {
  ...gitlabSigned,
  scheme: 'GITLAB_TOKEN',
  timed: false,
  proofs: ['x-gitlab-token'],
  send({ secret, at, id, body = gitlabToken.sample(at, id) }) {
    return { body, headers: { ...gitlabHeaders(id), 'x-gitlab-token': secret } }
  },
}

/** https://linear.app/developers/webhooks */
const linear: Sender = {
  provider: 'LINEAR',
  path: 'linear',
  timed: true,
  named: true,
  proofs: ['linear-signature'],
  descriptions: ['linear-delivery', 'linear-event'],
  event: 'Comment',
  sample: (at, nonce) =>
    json({
      action: 'create',
      actor: { id: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba', type: 'user', name: 'Linear User' },
      createdAt: '2020-01-23T12:53:18.084Z',
      data: { id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', body: nonce, edited: false },
      type: 'Comment',
      url: 'https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3-fb52-4dad-bb9a-b356beb93de8',
      webhookTimestamp: at,
      webhookId: '000042e3-d123-4980-b49f-8e140eef9329',
    }),
  send({ secret, at, id, body = linear.sample(at, id) }) {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Linear-Webhook',
      'linear-delivery': id,
      'linear-event': 'Comment',
      'linear-signature': hmac(secret, body).toString('hex'),
    }
    return { body, headers }
  },
}

/** https://buildkite.com/docs/apis/webhooks/pipelines */
const buildkite: Sender = {
  provider: 'BUILDKITE',
  path: 'buildkite',
  timed: true,
  named: false,
  proofs: ['x-buildkite-signature'],
  descriptions: ['x-buildkite-event'],
  event: 'build.finished',
  sample: (_, nonce) =>
    json({
      event: 'build.finished',
      build: { id: nonce, number: 27, state: 'passed', blocked: false },
      pipeline: { id: '849411f9-9e6d-4739-a0d8-e247088e9b52', slug: 'great-pipeline' },
      sender: { id: '8a7693f8-dbae-4783-9137-84090fce9045', name: 'Some person' },
    }),
  send({ secret, at, id, body = buildkite.sample(at, id) }) {
    const signature = hmac(secret, `${seconds(at)}.`, body).toString('hex')
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Buildkite-Request',
      'x-buildkite-event': 'build.finished',
      'x-buildkite-signature': `timestamp=${seconds(at)},signature=${signature}`,
    }
    return { body, headers }
  },
}

export const senders = { github, gitlabSigned, gitlabToken, linear, buildkite } as const

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly id?: string
    readonly repeated?: boolean
    readonly error?: { readonly code: string; readonly message: string; readonly field?: string }
  }
}

export async function deliver(url: string, { body, headers }: Envelope): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers }, body: new Uint8Array(body) })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}
