/** The steps that a new installation needs before its first run. The list disappears when all is done, or when the user hides it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { AddMachineDialog } from '../agents/AddMachineDialog.tsx'
import { CliInstallList } from '../agents/CliInstallList.tsx'
import { graphql } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { useDialog } from '../state/dialogStore.ts'

const texts = messages.firstSteps

const stepsQuery = graphql(`{
  agentConnection(first: 1, statuses: [CONNECTED]) { totalCount }
  codebases(first: 1) { totalCount }
  agentCliHealth(first: 50) { nodes { name usable } }
  runs(first: 1) { totalCount }
}`)

const storageKey = 'signalbox.firstStepsHidden'

/** Reads nothing if the user has hidden the steps. */
export function FirstSteps() {
  const [isHidden, setIsHidden] = useState(isStoredAsHidden)
  if (isHidden) return null
  return (
    <OpenSteps
      onHide={() => {
        storeAsHidden()
        setIsHidden(true)
      }}
    />
  )
}

function OpenSteps({ onHide }: { onHide(): void }) {
  const { data, refresh } = useQuery(stepsQuery, {}, { pauseMs: 2_000 })
  useOnTransition('AGENT', refresh)
  useOnTransition('CODEBASE', refresh)
  const { dialog, open, close } = useDialog<'addMachine'>()
  if (data === undefined) return null
  const machineCount = data.agentConnection.totalCount
  const repositoryCount = data.codebases.totalCount
  const clis = [...new Set(data.agentCliHealth.nodes.filter(({ usable }) => usable).map(({ name }) => name))]
  const isRunDone = data.runs.totalCount > 0
  // A run is the last step.
  if (isRunDone) return null
  const hasMachine = machineCount > 0
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <div class="heading-row">
        <h2 id="first-steps">{texts.title}</h2>
        <button type="button" class="quiet" onClick={onHide}>
          {texts.dismiss}
        </button>
      </div>
      <ol>
        <Step isDone={hasMachine}>
          {hasMachine ? format(texts.machine.done, { count: machineCount }) : texts.machine.todo}
          {!hasMachine && <ActionButton onClick={() => open('addMachine')}>{texts.machine.action}</ActionButton>}
        </Step>
        <Step isDone={repositoryCount > 0}>
          {repositoryCount > 0 ? (
            <a href="/repositories">{format(texts.repositories.done, { count: repositoryCount })}</a>
          ) : hasMachine ? (
            texts.repositories.todo
          ) : (
            texts.repositories.later
          )}
        </Step>
        <Step isDone={clis.length > 0}>
          {clis.length > 0 ? (
            format(texts.cli.done, { names: clis.join(', ') })
          ) : hasMachine ? (
            <MissingCli />
          ) : (
            texts.cli.later
          )}
        </Step>
        <Step isDone={false}>
          {texts.run.todo}
          {repositoryCount > 0 && (
            <a class="quiet" href="/runs/new">
              {texts.run.action}
            </a>
          )}
        </Step>
      </ol>
      {dialog && <AddMachineDialog onClose={close} />}
    </section>
  )
}

function MissingCli() {
  return (
    <div>
      {texts.cli.todo}
      <details class="disclosure">
        <summary>{texts.cli.install}</summary>
        <CliInstallList />
      </details>
    </div>
  )
}

function Step({ isDone, children }: { readonly isDone: boolean; readonly children: ComponentChildren }) {
  return (
    <li data-done={isDone}>
      <span class="step-mark" aria-hidden="true">
        {isDone ? '✓' : '○'}
      </span>
      <span class="visually-hidden">{isDone ? texts.done : texts.open}</span>
      {children}
    </li>
  )
}

/** The browser may have no storage. */
function isStoredAsHidden(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'true'
  } catch {
    return false
  }
}

function storeAsHidden(): void {
  try {
    localStorage.setItem(storageKey, 'true')
  } catch {
    // Without storage the steps appear again after a reload.
  }
}
