/** The coding CLI of a new run: those of the machine on which it executes. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'

const { cli: texts } = messages.newRun

const worktreeClisQuery = graphql(`query ($id: ID!) { worktree(id: $id) {
  agent { name clis { name version usable problem signIn } }
} }`)
const codebaseClisQuery = graphql(`query ($id: ID!) { codebase(id: $id) {
  agent { name clis { name version usable problem signIn } }
} }`)

interface CliFieldProps {
  /** The ID of the chosen worktree or codebase. Undefined until one is chosen. */
  readonly placeId: string | undefined
  /** The name of the CLI that is chosen at first. */
  readonly value: string
}

export function CliField({ placeId, value }: CliFieldProps) {
  return placeId === undefined ? (
    <CliChoice clis={undefined} value={value} />
  ) : placeId.startsWith('wt_') ? (
    <ClisOfWorktree id={placeId} value={value} />
  ) : (
    <ClisOfCodebase id={placeId} value={value} />
  )
}

function ClisOfWorktree({ id, value }: { readonly id: string; readonly value: string }) {
  const { data } = useQuery(worktreeClisQuery, { id })
  return <CliChoice clis={data?.worktree?.agent.clis} value={value} />
}

function ClisOfCodebase({ id, value }: { readonly id: string; readonly value: string }) {
  const { data } = useQuery(codebaseClisQuery, { id })
  return <CliChoice clis={data?.codebase?.agent.clis} value={value} />
}

interface Cli {
  readonly name: string
  readonly version: string | null
  readonly usable: boolean
  readonly problem: string | null
  readonly signIn: string
}

function CliChoice({ clis, value }: { readonly clis: readonly Cli[] | undefined; readonly value: string }) {
  return (
    <div class="field">
      <label for="field-cli">{texts.label}</label>
      <select id="field-cli" name="cli">
        <option value="">{texts.first}</option>
        {clis?.map((cli) => (
          <option key={cli.name} value={cli.name} selected={cli.name === value}>
            {describeCli(cli)}
          </option>
        ))}
      </select>
      {clis?.length === 0 && <p class="problem">{texts.none}</p>}
    </div>
  )
}

function describeCli({ name, version, usable, problem, signIn }: Cli): string {
  const label = version === null ? name : `${name} ${version}`
  if (usable) return label
  return format(texts.withProblem, {
    cli: label,
    problem: problem ?? (signIn === 'SIGNED_OUT' ? texts.signedOut : texts.unavailable),
  })
}
