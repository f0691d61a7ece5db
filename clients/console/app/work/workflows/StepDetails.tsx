/** The action of a step of a definition, and its conditions. */
import { format, messages } from '../../messages.ts'
import { type ActionParts, getActionName, type StepInput } from './workflowInput.ts'

const texts = messages.workflows.form

export function StepDetails({ step }: { readonly step: StepInput }) {
  const { name, title, needs, condition, onlyIf, timeoutSeconds, retry, action } = step
  const { command, ai, workflow, build, approval }: ActionParts = action
  const text = command?.script ?? ai?.prompt ?? approval?.message
  const values = command?.env ?? workflow?.inputs ?? []
  return (
    <section class="step-details" aria-label={title ?? name}>
      <h3>{title ?? name}</h3>
      <dl class="facts">
        <Fact name={texts.kind}>{texts.kinds[getActionName(action)]}</Fact>
        {needs != null && <Fact name={texts.startsAfter}>{needs.join(', ') || texts.needsModes.NONE}</Fact>}
        {condition != null && <Fact name={texts.condition}>{texts.conditions[condition]}</Fact>}
        {onlyIf != null && (
          <Fact name={texts.onlyIf}>
            <code>
              {onlyIf.value} {onlyIf.equals == null ? '≠' : '='} “{onlyIf.equals ?? onlyIf.differsFrom}”
            </code>
          </Fact>
        )}
        {timeoutSeconds != null && (
          <Fact name={texts.stepTimeout}>{format(texts.seconds, { count: timeoutSeconds })}</Fact>
        )}
        {retry != null && <Fact name={texts.attempts}>{retry.maxAttempts}</Fact>}
        {ai?.cli != null && <Fact name={messages.newRun.cli.label}>{ai.cli}</Fact>}
        {ai?.model != null && <Fact name={messages.newRun.options.model}>{ai.model}</Fact>}
        {workflow && (
          <Fact name={texts.startedWorkflow}>
            <a class="id" href={`/workflows/${workflow.workflowId}`}>
              {workflow.workflowId}
            </a>
          </Fact>
        )}
        {build && (
          <Fact name={messages.builds.configuration}>
            <a class="id" href={`/build-configurations/${build.buildConfigurationId}`}>
              {build.buildConfigurationId}
            </a>
          </Fact>
        )}
        {build?.source != null && <Fact name={messages.builds.source}>{messages.builds.sources[build.source]}</Fact>}
        {build?.kind != null && <Fact name={messages.builds.kind}>{messages.builds.kinds[build.kind]}</Fact>}
        {build?.commit != null && (
          <Fact name={messages.builds.commit}>
            <code>{build.commit}</code>
          </Fact>
        )}
        {values.map((value) => (
          <Fact key={value.name} name={value.name}>
            <code>{value.value}</code>
          </Fact>
        ))}
      </dl>
      {text !== undefined && <pre class={`run-task${command ? ' code' : ''}`}>{text}</pre>}
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
