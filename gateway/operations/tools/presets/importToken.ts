import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'
import { canonicalSha256 } from '../../core/canonicalSha256.ts'
import type { RequestContext } from '../../requestContext.ts'
import { type ImportInput, pickReviewed } from './importInput.ts'
import type { ImportPlan } from './plan.ts'

const tokenMs = 30 * 60_000

interface TokenClaims {
  /** The SHA-256 of the principal. */
  readonly by: string
  /** The SHA-256 of the input. */
  readonly input: string
  /** The SHA-256 of the plan and of the state on which it is based. */
  readonly rests: string
  /** Milliseconds since 1970. */
  readonly until: number
}

type Context = Pick<RequestContext, 'principal' | 'signings' | 'now' | 'tools'>

/** Hashes everything that the import writes and everything that it depends on: the revisions of its targets and the definitions of its tools. */
function hashBasis({ presets, servers }: ImportPlan, { tools }: Context): string {
  const definitionOf = (selection: ToolSelection | undefined): unknown => {
    if (selection === undefined) return null
    if (selection.source === 'EXTERNAL') {
      const discovery = servers.find(({ serverId }) => serverId === selection.serverId)?.discovery
      const found = discovery?.available ? discovery.tools.find(({ rawName }) => rawName === selection.name) : undefined
      return [selection.serverId, selection.name, found?.hash ?? null]
    }
    const found = tools.get(selection.name)
    return [selection.name, found ? definitionHash(found) : null]
  }
  return canonicalSha256(
    presets.map(({ action, name, kind, target, tools }) => ({
      action,
      name,
      kind,
      target: target ? [target.id, target.revision] : null,
      tools: tools.map(({ selection }) => definitionOf(selection)),
    })),
  )
}

/** Definitions of built-in tools do not change while the process runs. */
const definitionHashes = new WeakMap<object, string>()

function definitionHash(tool: { readonly name: string; readonly inputSchema: object; readonly outputSchema: object }) {
  let hash = definitionHashes.get(tool)
  if (hash === undefined) {
    const { name, inputSchema, outputSchema } = tool
    hash = canonicalSha256([name, inputSchema, outputSchema])
    definitionHashes.set(tool, hash)
  }
  return hash
}

const hashPrincipal = ({ principal }: Context): string => canonicalSha256([principal.kind, principalName(principal)])

export function issueToken(input: ImportInput, plan: ImportPlan, context: Context): { token: string; until: number } {
  const until = context.now + tokenMs
  const claims: TokenClaims = {
    by: hashPrincipal(context),
    input: canonicalSha256(pickReviewed(input)),
    rests: hashBasis(plan, context),
    until,
  }
  return { token: context.signings.importReview.sign(JSON.stringify(claims)), until }
}

const nothingImported = 'Nothing was imported. Preview the import again.'

const tokenRefused = (code: FailureCode, problem: string): Failure =>
  new Failure(code, `previewToken ${problem}. ${nothingImported}`, { details: { field: 'previewToken' } })

/**
 * Checks that the token was issued to this caller for this input and has not expired. It is called before the plan is computed.
 * @throws Failure BAD_USER_INPUT, FAILED_PRECONDITION
 */
export function requireToken(input: ImportInput, context: Context): TokenClaims {
  const { previewToken } = input
  if (!previewToken) throw tokenRefused('BAD_USER_INPUT', 'must be the token of the preview')
  const text = context.signings.importReview.open(previewToken)
  if (text === undefined) throw tokenRefused('BAD_USER_INPUT', 'is not the token of a preview')
  const claims = JSON.parse(text) as TokenClaims
  if (claims.by !== hashPrincipal(context)) throw tokenRefused('BAD_USER_INPUT', 'was issued to another user')
  if (claims.input !== canonicalSha256(pickReviewed(input)))
    throw tokenRefused('BAD_USER_INPUT', 'was issued for another document, other decisions or other mappings')
  if (context.now >= claims.until) throw tokenRefused('FAILED_PRECONDITION', 'has expired: it is valid for 30 minutes')
  return claims
}

/** Checks that the plan is equal to the plan of the preview. @throws Failure CONFLICT */
export function requireSamePlan({ rests }: TokenClaims, plan: ImportPlan, context: Context): void {
  const [first] = plan.problems
  if (first === undefined && rests === hashBasis(plan, context)) return
  const what = first === undefined ? 'a preset or a tool has changed since' : `${first.path} ${first.message}`
  const problem = `is of a preview that is no longer valid: ${what.replace(/\.$/, '')}`
  throw new Failure('CONFLICT', `previewToken ${problem}. ${nothingImported}`, {
    details: {
      field: 'previewToken',
      ...(first && { problemCount: plan.problems.length, problems: plan.problems.slice(0, 20) }),
    },
  })
}
