/** The rules of the GraphQL schema, each as a check over all of its types. A list names what is allowed otherwise, with the reason. */
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { listBounds } from '../../../gateway/graphql/limits/listBounds.ts'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'

const catalog = { operations, objectTypes }
const schema = buildCatalogSchema(catalog, undefined as never)
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
const outputs = types.filter((type) => isObjectType(type) || isInterfaceType(type))
const fields = outputs.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type, field })),
)

/** Fields whose value has no type of its own. */
const json: Readonly<Record<string, string>> = {
  'ActionCenterAction.arguments': 'the arguments of any tool or operation',
  'Actor.context': 'the context of any machine',
  'Actor.init': 'the input of any machine',
  'Actor.state': 'a state value of XState: a name, or an object of names',
  'ActorTransition.change': 'the context of any machine',
  'ActorTransition.from': 'a state value',
  'ActorTransition.payload': 'the event of any machine',
  'ActorTransition.to': 'a state value',
  'AgentJob.spec': 'the agent parses it by the kind of the job',
  'Argument.default': 'a text, a number or a boolean, as the type of the argument requires',
  'ArgumentInput.default': 'a text, a number or a boolean, as the type of the argument requires',
  'CompleteJobInput.result': 'the result of any kind of job; the kind decides how it is checked',
  'MachineWay.from': 'a state value',
  'MachineWay.to': 'a state value',
  'McpServerTool.inputSchema': 'a JSON schema',
  'McpServerTool.outputSchema': 'a JSON schema',
  'OperatorActionPreview.change': 'the context of any machine',
  'OperatorActionPreview.from': 'a state value',
  'OperatorActionPreview.to': 'a state value',
  'ReportJobWaitingInput.question': 'as the coding CLI sent it; `RunQuestion` is the typed form',
  'RunCommandInput.arguments': 'the arguments of any command',
  'RunEvent.content': 'a content block of the Agent Client Protocol that is not text',
  'RunEventInput.data': 'as the coding CLI sent it; `RunEvent` is the typed form',
  'StartWorkflowInput.inputs': 'the inputs of any workflow',
  'CreateScheduleInput.inputs': 'the inputs of any workflow',
  'Schedule.inputs': 'the inputs of any workflow',
  'UpdateScheduleInput.inputs': 'the inputs of any workflow',
  'TelemetryRecord.attributes': 'attributes that the sender chose',
  'TelemetryRecord.body': 'a log body of any type',
  'TelemetryRecord.resource': 'attributes that the sender chose',
  'ToolCall.rawInput': 'the input of any tool',
  'ToolCall.rawOutput': 'the output of any tool',
}

/** Lists whose size `listCounts` of their operation tells. */
const counted = [
  'ImportMcpToolPresetsPayload.presets',
  'McpToolPresetCatalogExport.servers',
  'McpToolPresetImportPreview.presets',
  'McpToolPresetImportPreview.servers',
  'PerformOperatorActionsPayload.results',
]

/** Objects with an `id` that are not the actor with that ID. */
const noNodes: Readonly<Record<string, string>> = {
  ActorTimer: 'the name of a timer',
  AgentJob: 'the form of a job that its agent receives',
  BuildRunDestination: 'the ID of a device, or the name of a command',
  DeploymentDestination: 'the ID of a device, or the name of a command',
  CommandUse: 'the version of a command that a run uses',
  FailedEffect: 'the ID of an effect',
  InstallationProcess: 'the ID of a process',
  McpToolPreset: 'a member of the actor that holds all presets',
  ActionCenterItem: 'identifies an item and its cause',
  Notification: 'its marks are those of its own user',
  NotificationDevice: 'only its own user may see it',
  OperatorActionPreview: 'names the actor of a preview',
  OperatorActionResult: 'names the actor of a result',
  PreviewMessage: 'names the receiver of a message',
  SavedView: 'only its own user may see it',
  SearchHit: 'names the object that was found',
  SlotHolder: 'names the run that holds the slot',
  TransitionCause: 'the ID of a request, a timer or an effect',
  TransitionEffect: 'the ID of an effect',
  Viewer: 'the caller, which may be a script',
  WorktreeQueueEntry: 'names the run of an entry',
}

/** Types with the same fields and different meanings. */
const alike: readonly (readonly string[])[] = [
  ['BuildStep', 'CodebaseRepositoryPreparation'],
  ['NamedValue', 'WebhookHeader'],
]

/** Mutations whose input or payload is shared. */
const sharedTypes: Readonly<Record<string, string>> = {
  appendJobLog: 'both appends return the next sequence',
  appendRunEvents: 'both appends return the next sequence',
  completeJob: 'every report on a job returns the state of the job',
  createMcpToolPreset: 'the fields of a preset',
  importMcpToolPresets: 'what was previewed is sent again unchanged',
  reportBuildCoverage: 'every report on a job returns the state of the job',
  reportBuildProgress: 'every report on a job returns the state of the job',
  reportDeploymentProgress: 'every report on a job returns the state of the job',
  refuseJob: 'every report on a job returns the state of the job',
  reportJobPaused: 'every report on a job returns the state of the job',
  reportJobResumed: 'every report on a job returns the state of the job',
  reportJobWaiting: 'every report on a job returns the state of the job',
}

/** Mutations that are named like an edit and take no revision. */
const unrevised: readonly string[] = [
  // Omitted fields of a queued run do not change.
  'updateRunConfiguration',
]

const hasArgument = (field: GraphQLField<unknown, unknown>, ...names: string[]): boolean =>
  field.args.some(({ name }) => names.includes(name))
const isListOfObjects = (field: GraphQLField<unknown, unknown>): boolean =>
  isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))
const namesOf = (found: readonly { readonly name: string }[]): string[] => found.map(({ name }) => name).sort()

test('values of enums are in upper snake case', () => {
  const wrong = types
    .filter(isEnumType)
    .flatMap((type) => type.getValues().map(({ name }) => ({ name: `${type.name}.${name}` })))
    .filter(({ name }) => !/^\w+\.[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))
  deepEqual(namesOf(wrong), [])
})

test('JSON is used only for values that have no type of their own', () => {
  const isJson = ({ type }: { readonly type: GraphQLField<unknown, unknown>['type'] | GraphQLArgument['type'] }) =>
    getNamedType(type).name === 'JSON'
  const used = [
    ...fields.filter(({ field }) => isJson(field)),
    ...fields.flatMap(({ name, field }) =>
      field.args.filter(isJson).map((argument) => ({ name: `${name}(${argument.name})` })),
    ),
    ...types.filter(isInputObjectType).flatMap((type) =>
      Object.values(type.getFields())
        .filter(isJson)
        .map((field) => ({ name: `${type.name}.${field.name}` })),
    ),
  ]
  deepEqual(namesOf(used), Object.keys(json).sort())
})

test('every list of objects is a connection, or its size is known before it is read', () => {
  const bounds = listBounds(catalog)
  const countedRoots = new Set(
    operations.flatMap((one) => (one.kind === 'query' && one.listCounts ? [`Query.${one.name}`] : [])),
  )
  const paged = new Set(
    fields.filter(({ field }) => hasArgument(field, 'first')).map(({ field }) => getNamedType(field.type).name),
  )
  const endless = fields
    .filter(({ field }) => isListOfObjects(field))
    .filter(({ name, type, field }) => {
      const isKnown = bounds.has(name) || countedRoots.has(name) || counted.includes(name)
      return !isKnown && !paged.has(type.name) && !hasArgument(field, 'first', 'ids')
    })
  deepEqual(namesOf(endless), [])
})

test('no list has a maximum above 1,000 items', () => {
  const large = [...listBounds(catalog)].filter(([, most]) => most > 1_000)
  deepEqual(large, [])
})

test('every connection inside an object declares the default of `first`', () => {
  const isConnection = (type: GraphQLNamedType) => type.name.endsWith('Connection')
  const hidden = fields.filter(
    ({ type, field }) =>
      type !== schema.getQueryType() &&
      isConnection(getNamedType(field.type)) &&
      !field.args.some(({ name, default: fallback }) => name === 'first' && fallback !== undefined),
  )
  deepEqual(namesOf(hidden), [])
})

test('every object with the ID of an actor is a Node', () => {
  const node = schema.getType('Node')
  const others = outputs.filter(
    (type) =>
      isObjectType(type) && type.getFields().id !== undefined && !type.getInterfaces().some((one) => one === node),
  )
  deepEqual(namesOf(others), Object.keys(noNodes).sort())
})

test('no two types have the same fields, and none has a name that ends in Details', () => {
  const byFields = Map.groupBy(types.filter(isObjectType), (type) =>
    Object.values(type.getFields())
      .map(({ name, type: of }) => `${name}: ${of}`)
      .sort()
      .join(),
  )
  const same = [...byFields.values()].filter((alike) => alike.length > 1).map(namesOf)
  deepEqual(
    same.filter((names) => !names.every((name) => name.endsWith('Payload'))),
    alike,
  )
  deepEqual(namesOf(types.filter(({ name }) => name.endsWith('Details'))), [])
})

test('lists and their items are never null', () => {
  const nullable = fields.filter(({ name, field }) => {
    const list = getNullableType(field.type)
    return isListType(list) && name !== 'Query.nodes' && !(isNonNullType(field.type) && isNonNullType(list.ofType))
  })
  deepEqual(namesOf(nullable), [])
})

test('every custom scalar names its specification', () => {
  const wild = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type) && !type.specifiedByURL)
  deepEqual(namesOf(wild), [])
})

test('a mutation takes `<Name>Input` and returns `<Name>Payload`', () => {
  const odd = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name, args, type }) => {
    const own = name.charAt(0).toUpperCase() + name.slice(1)
    return args.length !== 1 || getNamedType(args[0]?.type)?.name !== `${own}Input` || `${own}Payload!` !== `${type}`
  })
  deepEqual(namesOf(odd), Object.keys(sharedTypes).sort())
})

test('a mutation that edits an object takes `expectedRevision`, and the object shows its `revision`', () => {
  const edits = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
    /^(update|save|set|rename)[A-Z]/.test(name),
  )
  ok(edits.length > unrevised.length)
  const without = edits.filter(({ args, type }) => {
    const input = getNamedType(args[0]?.type)
    const payload = getNamedType(type)
    const shown = isObjectType(payload)
      ? Object.values(payload.getFields()).map((field) => getNamedType(field.type))
      : []
    const isShown = shown.some((object) => isObjectType(object) && object.getFields().revision !== undefined)
    return !(isInputObjectType(input) && input.getFields().expectedRevision !== undefined && isShown)
  })
  deepEqual(namesOf(without), unrevised)
})
