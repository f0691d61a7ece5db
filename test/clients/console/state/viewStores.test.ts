/** The stores of views: dialogs, selections, requests and forms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../../clients/console/app/data/apiError.ts'
import type { Inspection } from '../../../../clients/console/app/inspect/inspection.ts'
import { createInspectionStore } from '../../../../clients/console/app/inspect/inspectionStore.ts'
import type { OperatorActionPreview } from '../../../../clients/console/app/operators/operatorAction.ts'
import { createOperatorActionStore } from '../../../../clients/console/app/operators/operatorActionStore.ts'
import { createSubmissionStore } from '../../../../clients/console/app/parts/forms/submissionStore.ts'
import { paletteStore } from '../../../../clients/console/app/search/paletteStore.ts'
import { createSearchStore } from '../../../../clients/console/app/search/searchStore.ts'
import { createDialogStore } from '../../../../clients/console/app/state/dialogStore.ts'
import { createRequestStore } from '../../../../clients/console/app/state/requestStore.ts'
import { createSelectionStore } from '../../../../clients/console/app/state/selectionStore.ts'
import { createImportReviewStore } from '../../../../clients/console/app/tools/importReviewStore.ts'
import { createImportStore } from '../../../../clients/console/app/tools/importStore.ts'
import type { ImportPreview } from '../../../../clients/console/app/tools/presetImport.ts'

const error = new ApiError('CONFLICT', 'The preview is out of date.')

test('one dialog is open at a time', () => {
  const store = createDialogStore<string>()
  store.trigger.opened({ dialog: 'drain' })
  store.trigger.opened({ dialog: 'revoke' })
  assert.equal(store.getSnapshot().context.dialog, 'revoke')
  store.trigger.closed()
  assert.equal(store.getSnapshot().context.dialog, undefined)
})

test('an item is selected, and no longer when it is selected again', () => {
  const store = createSelectionStore()
  const selected = () => [...store.getSnapshot().context.ids]
  store.trigger.toggled({ id: 'a' })
  store.trigger.toggled({ id: 'b' })
  store.trigger.toggled({ id: 'a' })
  assert.deepEqual(selected(), ['b'])
  store.trigger.replaced({ ids: ['c', 'd'] })
  assert.deepEqual(selected(), ['c', 'd'])
})

test('a request that is sent again shows no earlier error', () => {
  const store = createRequestStore<number>()
  store.trigger.started()
  store.trigger.failed({ error })
  assert.deepEqual(store.getSnapshot().context, { status: 'failed', result: undefined, error })
  store.trigger.started()
  assert.deepEqual(store.getSnapshot().context, { status: 'pending', result: undefined, error: undefined })
  store.trigger.succeeded({ result: 7 })
  assert.deepEqual(store.getSnapshot().context, { status: 'succeeded', result: 7, error: undefined })
})

test('a submission ends with success or with an error, which may concern a field', () => {
  const store = createSubmissionStore()
  store.trigger.submitted()
  assert.equal(store.getSnapshot().context.isWorking, true)
  store.trigger.failed({ error, isFieldError: true })
  assert.deepEqual(store.getSnapshot().context, { isWorking: false, error, isFieldError: true })
  store.trigger.submitted()
  assert.deepEqual(store.getSnapshot().context, { isWorking: true, error: undefined, isFieldError: false })
  store.trigger.succeeded()
  assert.deepEqual(store.getSnapshot().context, { isWorking: false, error: undefined, isFieldError: false })
})

test('a failed search has its error and no matches of another text, until a search succeeds', () => {
  const store = createSearchStore()
  const hits = [{ kind: 'RUN', id: 'run_1', title: 'Cart', excerpt: null, status: 'QUEUED' }] as const
  store.trigger.answered({ text: 'cart', hits })
  store.trigger.failed({ text: 'carts', error })
  assert.deepEqual(store.getSnapshot().context, { text: 'carts', hits: [], error })
  store.trigger.answered({ text: 'cart', hits })
  assert.deepEqual(store.getSnapshot().context, { text: 'cart', hits, error: undefined })
})

test('the palette selects the first entry for each text, and opens empty', () => {
  paletteStore.trigger.opened()
  paletteStore.trigger.entrySelected({ selected: 3 })
  paletteStore.trigger.textChanged({ text: 'cart' })
  assert.deepEqual(paletteStore.getSnapshot().context, { isOpen: true, text: 'cart', selected: 0 })
  paletteStore.trigger.closed()
  paletteStore.trigger.opened()
  assert.deepEqual(paletteStore.getSnapshot().context, { isOpen: true, text: '', selected: 0 })
})

test('other IDs need another preview', () => {
  const preview = { sequence: 4 } as OperatorActionPreview
  const store = createOperatorActionStore(preview)
  assert.equal(store.getSnapshot().context.preview, preview)
  store.trigger.idChanged({ name: 'runId', value: 'run_1' })
  store.trigger.previewed({ preview })
  store.trigger.idChanged({ name: 'jobId', value: 'job_1' })
  assert.deepEqual(store.getSnapshot().context, {
    ids: { runId: 'run_1', jobId: 'job_1' },
    preview: null,
    error: undefined,
  })
})

test('an inspector that connects after the inspection was stopped is ignored', () => {
  const store = createInspectionStore()
  const inspection = { stop: () => {} } as Inspection
  store.trigger.started({ inspection, host: 'inspector.example' })
  store.trigger.connected()
  assert.deepEqual(store.getSnapshot().context, { status: 'connected', inspection, host: 'inspector.example' })
  store.trigger.stopped()
  store.trigger.connected()
  assert.deepEqual(store.getSnapshot().context, { status: 'stopped' })
})

test('a document stays when the user returns from its review', () => {
  const store = createImportStore()
  store.trigger.fileUnreadable()
  store.trigger.fileRead({ document: '{}' })
  assert.equal(store.getSnapshot().context.isUnreadable, false)
  store.trigger.entered()
  store.trigger.reopened()
  assert.deepEqual(store.getSnapshot().context, {
    step: 'enter',
    document: '{}',
    isUnreadable: false,
    imported: undefined,
  })
})

test('a preview belongs to the choices that it was made for', () => {
  const store = createImportReviewStore()
  const preview = { previewToken: 'token' } as ImportPreview
  store.trigger.decided({
    decisions: [
      { index: 0, action: 'SKIP' },
      { index: 1, action: 'SKIP' },
    ] as never,
  })
  const { choices } = store.getSnapshot().context
  store.trigger.previewed({ preview, choices })
  assert.equal(store.getSnapshot().context.previewedChoices, store.getSnapshot().context.choices)
  store.trigger.decided({ decisions: [{ index: 0, action: 'CREATE' }] as never })
  const later = store.getSnapshot().context
  assert.notEqual(later.previewedChoices, later.choices)
  assert.equal(later.preview, preview)
  assert.deepEqual(later.choices.decisions, [
    { index: 1, action: 'SKIP' },
    { index: 0, action: 'CREATE' },
  ])
})

test('a failed import can be previewed again, with the same choices', () => {
  const store = createImportReviewStore()
  store.trigger.serverMapped({ serverKey: 'docs', id: 'mcp_1' })
  store.trigger.importStarted()
  store.trigger.failed({ error })
  const failed = store.getSnapshot().context
  assert.deepEqual([failed.isImporting, failed.error], [false, error])
  store.trigger.previewRequested()
  const { choices, error: cleared } = store.getSnapshot().context
  assert.notEqual(choices, failed.choices)
  assert.deepEqual(choices, failed.choices)
  assert.equal(cleared, undefined)
  store.trigger.serverMapped({ serverKey: 'docs', id: '' })
  assert.deepEqual(store.getSnapshot().context.choices.mappings, {})
})
