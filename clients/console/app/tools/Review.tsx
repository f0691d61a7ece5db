/** The preview of an import, for each preset. Each decision causes another preview, and only a preview can be imported. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { counted } from '../parts/counted.ts'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { kindNames, type Preset } from './preset.ts'
import { type Decision, type Entry, type Problem, ReviewEntry } from './ReviewEntry.tsx'

export interface Imported {
  readonly created: number
  readonly replaced: number
  readonly skipped: number
}

interface Preview {
  readonly previewToken: string | null
  readonly expiresAt: string | null
  readonly presets: readonly Entry[]
  readonly servers: readonly {
    readonly serverKey: string
    readonly status: 'UNMAPPED' | 'AVAILABLE' | 'UNAVAILABLE' | 'NOT_FOUND'
    readonly tools: readonly string[]
  }[]
  readonly errorCount: number
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
}

const problem = '{ path code message }'
const previewed = `query ($input: McpToolPresetImportInput!) { previewMcpToolPresetImport(input: $input) {
  previewToken expiresAt errorCount errors ${problem} warnings ${problem}
  presets { index action documentName name kind targetId tools { source name serverKey serverId found } }
  servers { serverKey status tools }
} }`
const imported = `mutation ($input: McpToolPresetImportInput!) { importMcpToolPresets(input: $input) {
  created replaced skipped
} }`

/** Codes with which the service rejects an outdated preview. */
const outdated: ReadonlySet<string> = new Set(['CONFLICT', 'FAILED_PRECONDITION'])

const serverSays = {
  UNMAPPED: 'Say which server it is. An import makes none.',
  AVAILABLE: '',
  UNAVAILABLE: 'It can’t be asked now for its tools. Look at External servers for what is wrong, then preview again.',
  NOT_FOUND: 'It was removed meanwhile. Choose another.',
} as const

interface ReviewProps {
  readonly document: string
  readonly presets: readonly Preset[]
  readonly servers: readonly { readonly id: string; readonly name: string }[]
  back(): void
  done(imported: Imported): void
}

export function Review({ document, presets, servers, back, done }: ReviewProps) {
  const [decisions, setDecisions] = useState<readonly Decision[]>([])
  const [mappings, setMappings] = useState<Readonly<Record<string, string>>>({})
  const [turn, setTurn] = useState(0)
  const [seen, setSeen] = useState<{ readonly preview: Preview; readonly of: object }>()
  const [working, setWorking] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const input = useMemo(
    () => ({
      document,
      decisions,
      serverMappings: Object.entries(mappings).map(([serverKey, serverId]) => ({ serverKey, serverId })),
    }),
    [document, decisions, mappings, turn],
  )
  const preview = seen?.preview
  // After another decision, the preview that is shown belongs to another import.
  const looking = refusal === undefined && seen?.of !== input
  useEffect(() => {
    let current = true
    setRefusal(undefined)
    ask<{ previewMcpToolPresetImport: Preview }>(previewed, { input }).then(
      ({ previewMcpToolPresetImport }) => current && setSeen({ preview: previewMcpToolPresetImport, of: input }),
      (error: unknown) => current && setRefusal(refusalOf(error)),
    )
    return () => {
      current = false
    }
  }, [input])
  const decide = (changed: readonly Decision[]) => {
    const indexes = new Set(changed.map(({ index }) => index))
    setDecisions([...decisions.filter(({ index }) => !indexes.has(index)), ...changed])
  }
  const commit = () => {
    setWorking(true)
    setRefusal(undefined)
    ask<{ importMcpToolPresets: Imported }>(imported, {
      input: { ...input, previewToken: preview?.previewToken },
    }).then(
      ({ importMcpToolPresets }) => done(importMcpToolPresets),
      (error: unknown) => {
        setWorking(false)
        setRefusal(refusalOf(error))
      },
    )
  }
  const stale = refusal !== undefined && outdated.has(refusal.code)
  const errors = preview?.errors ?? []
  const own = (entry: Entry, all: readonly Problem[]) => all.filter(({ path }) => isOf(path, entry.index, decisions))
  // Each server shows its own problem of a missing selection.
  const ofNone = (one: Problem) =>
    one.code !== 'SERVER_NOT_MAPPED' && !preview?.presets.some((entry) => own(entry, [one]).length > 0)
  const others = errors.filter(ofNone)
  const taken = (preview?.presets ?? []).flatMap((entry) => {
    const target = own(entry, errors).some(({ code }) => code === 'NAME_TAKEN') && sameNamed(entry, presets)
    return target ? [{ index: entry.index, action: 'REPLACE', targetId: target.id } as const] : []
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      {preview === undefined && !refusal && <Loading what="what would come of it" />}
      {stale && (
        <div class="message" role="alert">
          <p>The preview is out of date, and nothing was imported. {refusal.message}</p>
        </div>
      )}
      {refusal && !stale && <Refused refusal={refusal} />}
      {refusal && (
        <button type="button" class="quiet" onClick={() => setTurn(turn + 1)}>
          Preview it again
        </button>
      )}
      {preview && (
        <>
          <p role="status">
            {looking
              ? 'Looking again …'
              : preview.errorCount > 0
                ? `${counted(preview.errorCount, 'thing keeps', 'things keep')} it from being imported.`
                : 'It can be imported as it stands here, all of it or nothing.'}
          </p>
          {others.length > 0 && (
            <ul class="problems">
              {others.map(({ path, message }) => (
                <li key={`${path} ${message}`} class="problem">
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
          {preview.warnings.filter(ofNone).map(({ path, message }) => (
            <p key={`${path} ${message}`} class="hint">
              <code>{path}</code> {message}
            </p>
          ))}
          {preview.servers.map(({ serverKey, status, tools }) => (
            <div key={serverKey} class="field">
              <label for={`server-${serverKey}`}>
                The server {serverKey} <span class="hint">{tools.join(', ')}</span>
              </label>
              <select
                id={`server-${serverKey}`}
                value={mappings[serverKey] ?? ''}
                onChange={({ currentTarget }) => {
                  const { [serverKey]: _, ...rest } = mappings
                  setMappings(currentTarget.value === '' ? rest : { ...rest, [serverKey]: currentTarget.value })
                }}
              >
                <option value="">is none that was chosen yet</option>
                {servers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    is {name}
                  </option>
                ))}
              </select>
              {serverSays[status] && <p class="problem">{serverSays[status]}</p>}
            </div>
          ))}
          {taken.length > 1 && (
            <button type="button" class="quiet" onClick={() => decide(taken)}>
              Replace all {taken.length} that have the same name here
            </button>
          )}
          <ul class="cards review">
            {preview.presets.map((entry) => (
              <ReviewEntry
                key={entry.index}
                entry={entry}
                decision={decisions.find(({ index }) => index === entry.index)}
                targets={presets.filter(({ kind }) => kind === entry.kind)}
                kind={kindNames[entry.kind]}
                errors={own(entry, errors)}
                warnings={own(entry, preview.warnings)}
                decide={(decision) => decide([decision])}
              />
            ))}
          </ul>
          {preview.expiresAt && !stale && (
            <p class="hint">
              What you see counts for an import that begins before it ends <Moment at={preview.expiresAt} />.
            </p>
          )}
        </>
      )}
      <div class="buttons">
        <button type="button" class="secondary" onClick={back}>
          Another document
        </button>
        <button
          type="submit"
          class="primary"
          disabled={working || refusal !== undefined || seen?.of !== input || !preview?.previewToken}
        >
          {working ? 'Importing …' : 'Import'}
        </button>
      </div>
    </form>
  )
}

/** Returns whether a path of the input belongs to a preset of the document, or to the decision for it. */
function isOf(path: string, index: number, decisions: readonly Decision[]): boolean {
  const [, list, place] = /^(document\.presets|decisions)\[(\d+)\]/.exec(path) ?? []
  if (list === undefined) return false
  return list === 'decisions' ? decisions[Number(place)]?.index === index : Number(place) === index
}

function sameNamed({ name, kind }: Entry, presets: readonly Preset[]): Preset | undefined {
  return presets.find((one) => one.kind === kind && one.name.toLowerCase() === name.toLowerCase())
}
