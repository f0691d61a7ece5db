/** Creates a worktree for a run, and waits until its agent has checked it out. */
import { ApiError } from '../../data/apiError.ts'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'

const createMutation = graphql(
  'mutation ($input: CreateWorktreeInput!) { createWorktree(input: $input) { worktree { id status } } }',
)
const statusQuery = graphql('query ($id: ID!) { worktree(id: $id) { status statusError } }')

const pollMs = 500
/** The preparations of a repository may install its packages. */
const waitMs = 15 * 60_000

export interface NewWorktree {
  readonly codebaseId: string
  readonly branch: string
  readonly base: string
  /** Identifies the request, so that a repeat creates nothing. */
  readonly idempotencyKey: string
}

/** @returns the ID @throws ApiError if it cannot be created */
export async function createWorktree({ base, ...input }: NewWorktree): Promise<string> {
  const created = await requestGraphql(createMutation, { input: { ...input, ...(base === '' ? {} : { base }) } })
  const { id } = created.createWorktree.worktree
  const end = Date.now() + waitMs
  for (let status: string = created.createWorktree.worktree.status; status !== 'PRESENT'; ) {
    if (Date.now() > end)
      throw new ApiError('TIMEOUT', `The worktree ${input.branch} is still being created. Start the run on it later.`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const { worktree } = await requestGraphql(statusQuery, { id })
    status = worktree?.status ?? 'REMOVED'
    if (status !== 'CREATING' && status !== 'PRESENT')
      throw new ApiError('WORKTREE_FAILED', worktree?.statusError ?? `The worktree ${input.branch} is ${status}.`)
  }
  return id
}
