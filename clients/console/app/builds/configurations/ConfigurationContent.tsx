/** The steps of a build configuration, the files that it keeps, and the machines that it needs. */
import { messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatDuration } from '../../parts/formatDuration.ts'
import { SigningAssetLinks } from '../signing/SigningAssetLinks.tsx'
import type { Configuration } from './configuration.ts'

const texts = messages.buildConfigurations

interface ConfigurationContentProps {
  readonly content: Configuration['content']
  /** Undefined for a version of before, which shows the IDs. */
  readonly assets?: Configuration['signingAssets']
}

export function ConfigurationContent({ content, assets }: ConfigurationContentProps) {
  const { steps, environment, artifacts, coverageReports, destinations, onPush, requirements, timeoutSeconds } = content
  const { platforms, architectures, tools, tags } = requirements
  return (
    <>
      <h2>{texts.steps}</h2>
      <ol class="preparations">
        {steps.map(({ name, command }, index) => (
          <li key={index}>
            <span>{name}</span>
            <pre class="command">{command}</pre>
          </li>
        ))}
      </ol>
      {environment.length > 0 && (
        <>
          <h2>{texts.environment}</h2>
          <dl class="facts">
            {environment.map(({ name, value }) => (
              <Fact key={name} name={name}>
                <code>{value}</code>
              </Fact>
            ))}
          </dl>
        </>
      )}
      <h2>{texts.artifacts}</h2>
      {artifacts.length === 0 ? <p class="hint">{texts.noArtifacts}</p> : <Patterns patterns={artifacts} />}
      {destinations.length > 0 && (
        <>
          <h2>{messages.deployments.commands.legend}</h2>
          <ol class="preparations">
            {destinations.map(({ name, command, artifact }) => (
              <li key={name}>
                <span>
                  {name} {artifact !== null && <code>{artifact}</code>}
                </span>
                <pre class="command">{command}</pre>
              </li>
            ))}
          </ol>
        </>
      )}
      {content.signingAssetIds.length > 0 && (
        <>
          <h2>{messages.signing.title}</h2>
          <p>
            <SigningAssetLinks assets={assets ?? content.signingAssetIds.map((id) => ({ id, name: id }))} />
          </p>
          {content.signingForRuns && <p class="hint">{messages.signing.forRuns}</p>}
        </>
      )}
      {coverageReports.length > 0 && (
        <>
          <h2>{texts.coverageReports}</h2>
          <ul>
            {coverageReports.map(({ format, pattern }, index) => (
              <li key={index}>
                {texts.formats[format]}: <code>{pattern}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {onPush && (
        <>
          <h2>{texts.onPush}</h2>
          <dl class="facts">
            <Fact name={texts.branches}>{onPush.branches.join(', ')}</Fact>
            <Fact name={messages.work.worktree}>
              <a class="id" href={`/worktrees/${onPush.worktreeId}`}>
                {onPush.worktreeId}
              </a>
            </Fact>
          </dl>
        </>
      )}
      <h2>{texts.requirements}</h2>
      <dl class="facts">
        <Fact name={texts.platforms}>{platforms.join(', ') || texts.any}</Fact>
        <Fact name={texts.architectures}>{architectures.join(', ') || texts.any}</Fact>
        <Fact name={texts.tools}>{tools.join(', ') || texts.noTools}</Fact>
        <Fact name={texts.tags}>{tags.join(', ') || texts.noTools}</Fact>
        <Fact name={texts.timeoutLabel}>{formatDuration(timeoutSeconds * 1_000)}</Fact>
      </dl>
    </>
  )
}

function Patterns({ patterns }: { readonly patterns: readonly string[] }) {
  return (
    <ul>
      {patterns.map((pattern) => (
        <li key={pattern}>
          <code>{pattern}</code>
        </li>
      ))}
    </ul>
  )
}
