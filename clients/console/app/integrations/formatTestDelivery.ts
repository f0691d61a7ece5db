/** The lines of a shell that sign a test delivery as the provider does, and send it. */
import { quoteShell } from '../parts/quoteShell.ts'
import type { Integration } from './integration.ts'

/** The lines that set `SIGNATURE`, and the headers. `AT` is the time in seconds, which makes each body another one. */
interface SchemeLines {
  readonly body: string
  readonly signature: readonly string[]
  readonly headers: readonly string[]
}

const hexOf = (text: string) =>
  `SIGNATURE=$(printf %s "${text}" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)`

const lines: Readonly<Record<Integration['scheme'], SchemeLines>> = {
  GITHUB_SIGNATURE: {
    body: String.raw`{\"zen\":\"Test delivery\",\"at\":$AT}`,
    signature: [hexOf('$BODY')],
    headers: ['x-github-event: ping', 'x-github-delivery: test-$AT', 'x-hub-signature-256: sha256=$SIGNATURE'],
  },
  STANDARD_WEBHOOKS: {
    body: String.raw`{\"object_kind\":\"push\",\"at\":$AT}`,
    signature: [
      `KEY=$(printf %s "$SECRET" | cut -c 7- | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
      'SIGNATURE=$(printf %s "test-$AT.$AT.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    ],
    headers: [
      'x-gitlab-event: Push Hook',
      'webhook-id: test-$AT',
      'webhook-timestamp: $AT',
      'webhook-signature: v1,$SIGNATURE',
    ],
  },
  GITLAB_TOKEN: {
    body: String.raw`{\"object_kind\":\"push\",\"at\":$AT}`,
    signature: [],
    headers: ['x-gitlab-event: Push Hook', 'x-gitlab-token: $SECRET'],
  },
  LINEAR_SIGNATURE: {
    body: String.raw`{\"type\":\"Issue\",\"action\":\"create\",\"webhookTimestamp\":$((AT * 1000))}`,
    signature: [hexOf('$BODY')],
    headers: ['linear-event: Issue', 'linear-delivery: test-$AT', 'linear-signature: $SIGNATURE'],
  },
  BUILDKITE_SIGNATURE: {
    body: String.raw`{\"event\":\"ping\",\"at\":$AT}`,
    signature: [hexOf('$AT.$BODY')],
    headers: ['x-buildkite-event: ping', 'x-buildkite-signature: timestamp=$AT,signature=$SIGNATURE'],
  },
}

export function formatTestDelivery(
  { scheme, webhookUrl }: Pick<Integration, 'scheme' | 'webhookUrl'>,
  secret: string,
): string {
  const { body, signature, headers } = lines[scheme]
  return [
    `SECRET=${quoteShell(secret)}`,
    'AT=$(date +%s)',
    `BODY="${body}"`,
    ...signature,
    [
      `curl -s ${quoteShell(webhookUrl)} -d "$BODY"`,
      ...['content-type: application/json', ...headers].map((header) => `-H "${header}"`),
    ].join(' \\\n  '),
  ].join('\n')
}
