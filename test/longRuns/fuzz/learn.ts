/** Learns from answers: IDs, tokens, the epoch of a connection, the caller's own new password. */
import type { Provider } from '../../../spec/hosts/webhookProviders.ts'
import type { Planned } from './make/planned.ts'
import type { Pools } from './pools.ts'

type Fields = Readonly<Record<string, unknown>>

export function learn({ target, input, caller }: Planned, text: string, succeeded: boolean, pools: Pools): void {
  pools.learn(text)
  if (!succeeded) return
  for (const [token] of text.matchAll(/\benroll_[\w-]{43}/g)) pools.enrollmentTokens.push(token)
  for (const [id] of text.slice(0, 5_000).matchAll(/\b(?:key|ase|ntd)_[0-9a-z]{26}/g)) {
    caller.own.push(id)
    if (caller.own.length > 30) caller.own.shift()
  }
  lessons[target.name]?.((input ?? {}) as Fields, text, { caller, pools })
}

interface Case {
  readonly caller: Planned['caller']
  readonly pools: Pools
}

const told = (text: string, name: string): string | undefined =>
  new RegExp(`"(?:fz_)?${name}":(?:"([^"]*)"|(\\d+))`)
    .exec(text)
    ?.slice(1)
    .find((found) => found !== undefined)

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const lessons: Readonly<Record<string, (input: Fields, text: string, one: Case) => void>> = {
  createIntegration: ({ provider, scheme, secret }, answer, { pools }) => {
    const id = /\bint_[0-9a-z]{26}\b/.exec(answer)?.[0]
    if (id) pools.outsiders.made(id, provider as Provider, text(scheme), text(secret))
  },
  rotateIntegrationSecret: ({ integrationId, secret }, _answer, { pools }) =>
    pools.outsiders.rotated(String(integrationId), text(secret)),
  previewMcpToolPresetImport: ({ input }, answer, { caller }) => {
    const previewToken = told(answer, 'previewToken')
    if (previewToken && typeof input === 'object' && input !== null) caller.review = { input, previewToken }
  },
  startDeviceEnrollment: (_input, answer, { pools }) => {
    const url = told(answer, 'profileUrl')
    if (url) pools.outsiders.linked(url)
  },
  getDeviceProfile: (_input, answer, { pools }) => pools.outsiders.profiled(answer),
  changePassword: ({ newPassword }, _text, { caller }) => {
    if (caller.account && typeof newPassword === 'string') caller.account.password = newPassword
  },
  agentConnect: (_input, text, { caller }) => {
    const epoch = Number(told(text, 'epoch'))
    if (caller.agent && epoch > caller.agent.epoch) caller.agent.epoch = epoch
  },
  rotateAgentCredential: (_input, text, { caller }) => {
    const credential = told(text, 'credential')
    if (caller.agent && credential) caller.agent.credential = credential
  },
  acceptJob: ({ jobId }, text, { caller }) => {
    const job = caller.agent?.jobs.get(String(jobId))
    if (!job) return
    job.accepted = true
    job.runId = /\brun_[0-9a-z]{26}\b/.exec(text)?.[0]
  },
  reportJobWaiting: ({ jobId, questionId }, _text, { caller, pools }) => {
    const job = caller.agent?.jobs.get(String(jobId))
    if (!job?.runId) return
    const { runId, attempt } = job
    pools.ask({ runId, jobId: job.jobId, attempt, questionId: String(questionId), answered: false })
  },
  answerRun: ({ runId, questionId }, _text, { pools }) => {
    const question = pools.questions.find((one) => one.runId === runId && one.questionId === questionId)
    if (question) question.answered = true
  },
  completeJob: ({ jobId }, _text, { caller }) => void caller.agent?.jobs.delete(String(jobId)),
  refuseJob: ({ jobId }, _text, { caller }) => void caller.agent?.jobs.delete(String(jobId)),
  appendJobLog: ({ jobId }, text, { caller }) => {
    const job = caller.agent?.jobs.get(String(jobId))
    const next = told(text, 'nextSequence')
    if (job && next !== undefined) job.nextLog = Number(next)
  },
  appendRunEvents: ({ jobId }, text, { caller }) => {
    const job = caller.agent?.jobs.get(String(jobId))
    const next = told(text, 'nextSequence')
    if (job && next !== undefined) job.nextEvent = Number(next)
  },
}
