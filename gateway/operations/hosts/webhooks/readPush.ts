/** Reads the push of a commit to a branch from the body of a webhook. https://docs.github.com/webhooks, https://docs.gitlab.com/user/project/integrations/webhook_events */
import type { Provider } from '../../../../spec/hosts/webhookProviders.ts'
import { canonicalName } from '../../../../spec/worktrees/repositoryName.ts'

export interface Push {
  /** The canonical names that the addresses of the repository have. */
  readonly repositories: readonly string[]
  readonly branch: string
  /** The full hash. */
  readonly commit: string
}

type Fields = Readonly<Record<string, unknown>>

/** The event, and the addresses of the repository in the body. */
const forms: Readonly<
  Partial<Record<Provider, { readonly event: string; readonly object: string; readonly addresses: readonly string[] }>>
> = {
  GITHUB: { event: 'push', object: 'repository', addresses: ['clone_url', 'ssh_url', 'html_url'] },
  GITLAB: { event: 'Push Hook', object: 'project', addresses: ['git_http_url', 'git_ssh_url', 'web_url'] },
}

const branchRef = /^refs\/heads\/(?<branch>.{1,244})$/
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const none = /^0+$/

/** Undefined for another event, for a tag, and for a branch that was deleted. */
export function readPush(provider: Provider, event: string, body: Fields): Push | undefined {
  const form = forms[provider]
  if (form === undefined || event !== form.event) return undefined
  const branch = branchRef.exec(textOf(body.ref))?.groups?.branch
  const commit = textOf(body.after)
  if (branch === undefined || !hash.test(commit) || none.test(commit)) return undefined
  const repository = Object(body[form.object]) as Fields
  const names = form.addresses.map((address) => canonicalName(textOf(repository[address])))
  const repositories = [...new Set(names.filter((name) => name !== undefined))]
  return repositories.length === 0 ? undefined : { repositories, branch, commit }
}

const textOf = (value: unknown): string => (typeof value === 'string' && value.length <= 2_000 ? value : '')
