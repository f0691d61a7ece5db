/** The preview of an import, for each preset. Each decision causes another preview, and only a preview can be imported. */
import { useEffect, useMemo } from 'preact/hooks'
import { toApiError } from '../data/apiError.ts'
import { requestGraphql } from '../data/request.ts'
import { format, formatParts, messages } from '../messages.ts'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ImportReviewEntry } from './ImportReviewEntry.tsx'
import { createImportReviewStore } from './importReviewStore.ts'
import type { Preset } from './preset.ts'
import {
  type ImportCounts,
  type ImportDecision,
  type ImportEntry,
  type ImportProblem,
  importMutation,
  previewQuery,
} from './presetImport.ts'

const texts = messages.tools.presetImport

const keys = createRepeatKeys()

/** Codes with which the service rejects an outdated preview. */
const outdatedCodes: ReadonlySet<string> = new Set(['CONFLICT', 'FAILED_PRECONDITION'])

interface ImportReviewProps {
  readonly document: string
  readonly presets: readonly Preset[]
  readonly servers: readonly { readonly id: string; readonly name: string }[]
  onBack(): void
  onDone(counts: ImportCounts): void
}

export function ImportReview({ document, presets, servers, onBack, onDone }: ImportReviewProps) {
  const [context, { trigger }] = useLocalStore(createImportReviewStore)
  const { choices, preview, previewedChoices, isImporting, error } = context
  const { decisions, mappings } = choices
  const input = useMemo(
    () => ({
      document,
      decisions,
      serverMappings: Object.entries(mappings).map(([serverKey, serverId]) => ({ serverKey, serverId })),
    }),
    [document, choices],
  )
  // After another decision, the preview that is shown belongs to another import.
  const isOutOfDate = previewedChoices !== choices
  useEffect(() => {
    let isCurrent = true
    requestGraphql(previewQuery, { input }).then(
      ({ previewMcpToolPresetImport }) =>
        isCurrent && trigger.previewed({ preview: previewMcpToolPresetImport, choices }),
      (cause: unknown) => isCurrent && trigger.failed({ error: toApiError(cause) }),
    )
    return () => {
      isCurrent = false
    }
  }, [input])
  const runImport = () => {
    trigger.importStarted()
    const request = { ...input, previewToken: preview?.previewToken ?? null }
    const sent = keys.send(request, (idempotencyKey) =>
      requestGraphql(importMutation, { input: { ...request, idempotencyKey } }),
    )
    sent.then(
      ({ importMcpToolPresets }) => onDone(importMcpToolPresets),
      (cause: unknown) => trigger.failed({ error: toApiError(cause) }),
    )
  }
  const isRejected = error !== undefined && outdatedCodes.has(error.code)
  const errors = preview?.errors ?? []
  const filterProblems = (entry: ImportEntry, problems: readonly ImportProblem[]) =>
    problems.filter(({ path }) => belongsToPreset(path, entry.index, decisions))
  // Each server shows its own problem of a missing selection.
  const isGeneral = (candidate: ImportProblem) =>
    candidate.code !== 'SERVER_NOT_MAPPED' &&
    !preview?.presets.some((entry) => filterProblems(entry, [candidate]).length > 0)
  const generalErrors = errors.filter(isGeneral)
  const replacements = (preview?.presets ?? []).flatMap((entry) => {
    const target =
      filterProblems(entry, errors).some(({ code }) => code === 'NAME_TAKEN') && findSameNamed(entry, presets)
    return target ? [{ index: entry.index, action: 'REPLACE', targetId: target.id } as const] : []
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        runImport()
      }}
    >
      {preview === undefined && !error && <Loading />}
      {isRejected && (
        <div class="message" role="alert">
          <p>
            {texts.outdated} {error.message}
          </p>
        </div>
      )}
      {error && !isRejected && <ErrorMessage error={error} />}
      {error && (
        <button type="button" class="quiet" onClick={() => trigger.previewRequested()}>
          {texts.previewAgain}
        </button>
      )}
      {preview && (
        <>
          <p role="status">
            {isOutOfDate && !error
              ? texts.updating
              : preview.errorCount > 0
                ? format(texts.problems, { count: preview.errorCount })
                : texts.ready}
          </p>
          {generalErrors.length > 0 && (
            <ul class="problems">
              {generalErrors.map(({ path, message }) => (
                <li key={`${path} ${message}`} class="problem">
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
          {preview.warnings.filter(isGeneral).map(({ path, message }) => (
            <p key={`${path} ${message}`} class="hint">
              <code>{path}</code> {message}
            </p>
          ))}
          {preview.servers.map(({ serverKey, status, tools }) => (
            <div key={serverKey} class="field">
              <label for={`server-${serverKey}`}>
                {format(texts.server, { key: serverKey })} <span class="hint">{tools.join(', ')}</span>
              </label>
              <select
                id={`server-${serverKey}`}
                value={mappings[serverKey] ?? ''}
                onChange={({ currentTarget }) => trigger.serverMapped({ serverKey, id: currentTarget.value })}
              >
                <option value="">{texts.selectServer}</option>
                {servers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
              {status !== 'AVAILABLE' && <p class="problem">{texts.serverProblems[status]}</p>}
            </div>
          ))}
          {replacements.length > 1 && (
            <button type="button" class="quiet" onClick={() => trigger.decided({ decisions: replacements })}>
              {format(texts.replaceAll, { count: replacements.length })}
            </button>
          )}
          <ul class="cards review">
            {preview.presets.map((entry) => (
              <ImportReviewEntry
                key={entry.index}
                entry={entry}
                decision={decisions.find(({ index }) => index === entry.index)}
                targets={presets.filter(({ kind }) => kind === entry.kind)}
                kind={messages.tools.presets.kindHints[entry.kind]}
                errors={filterProblems(entry, errors)}
                warnings={filterProblems(entry, preview.warnings)}
                onDecide={(decision) => trigger.decided({ decisions: [decision] })}
              />
            ))}
          </ul>
          {preview.expiresAt && !isRejected && (
            <p class="hint">{formatParts(texts.expires, { time: <RelativeTime at={preview.expiresAt} /> })}</p>
          )}
        </>
      )}
      <div class="buttons">
        <button type="button" class="secondary" onClick={onBack}>
          {texts.back}
        </button>
        <button
          type="submit"
          class="primary"
          disabled={isImporting || error !== undefined || isOutOfDate || !preview?.previewToken}
        >
          {isImporting ? texts.importing : messages.tools.presets.import}
        </button>
      </div>
    </form>
  )
}

/** Returns whether a path of the input belongs to a preset of the document, or to the decision for it. */
function belongsToPreset(path: string, index: number, decisions: readonly ImportDecision[]): boolean {
  const [, list, position] = /^(document\.presets|decisions)\[(\d+)\]/.exec(path) ?? []
  if (list === undefined) return false
  return list === 'decisions' ? decisions[Number(position)]?.index === index : Number(position) === index
}

function findSameNamed({ name, kind }: ImportEntry, presets: readonly Preset[]): Preset | undefined {
  return presets.find((preset) => preset.kind === kind && preset.name.toLowerCase() === name.toLowerCase())
}
