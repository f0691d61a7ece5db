/**
 * The conversation of a run with its coding CLI: tool calls, plans, questions and answers. The terms are those of the Agent Client
 * Protocol (https://agentclientprotocol.com/protocol/schema); names of its enums are in upper case here.
 */
import * as v from 'valibot'
import { atMost, dateTime, int, json, named } from '../core/types.ts'
import { namedValue, outputsMax } from './outputs.ts'
import { runUsage } from './usage.ts'

/** Locations, or pieces of content, of a tool call in an answer. */
export const toolCallPartsMax = 50
/** Entries of a plan in an answer. */
export const planEntriesMax = 100
/** Options of a question in an answer. */
export const optionsMax = 20

export const toolCallKinds = [
  'READ',
  'EDIT',
  'DELETE',
  'MOVE',
  'SEARCH',
  'EXECUTE',
  'THINK',
  'FETCH',
  'SWITCH_MODE',
  'OTHER',
] as const
export const toolCallStatuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const
export const optionKinds = ['ALLOW_ONCE', 'ALLOW_ALWAYS', 'REJECT_ONCE', 'REJECT_ALWAYS'] as const
export const planEntryStatuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED'] as const
export const planEntryPriorities = ['HIGH', 'MEDIUM', 'LOW'] as const
export const conversationOpenings = ['NEW', 'RESUMED', 'LOADED', 'REPLAYED'] as const

export const runConversation = named(
  'RunConversation',
  'The beginning of the conversation of a run with its coding CLI. NEW: without former turns. RESUMED, LOADED: the CLI continued the former conversation (`session/resume`, `session/load`). REPLAYED: the CLI could not, so the former turns are part of the prompt.',
  v.picklist(conversationOpenings),
)

export const toolCallKind = named('ToolCallKind', 'The category of a tool.', v.picklist(toolCallKinds))

const toolCallContent = named(
  'ToolCallContent',
  'A part of the result of a tool call, or of the change that it makes.',
  v.object({
    type: named(
      'ToolCallContentType',
      'TEXT: `text`. DIFF: `path`, `oldText` and `newText`. OTHER: an image, a terminal, or a type that this version does not support.',
      v.picklist(['TEXT', 'DIFF', 'OTHER']),
    ),
    text: v.nullable(v.string()),
    path: v.nullable(v.string()),
    oldText: v.pipe(v.nullable(v.string()), v.description('Null if the file is new.')),
    newText: v.nullable(v.string()),
  }),
)

export const toolCallSchema = named(
  'ToolCall',
  'A tool call of the coding CLI. An update has only the fields that changed; the others are null or empty.',
  v.object({
    toolCallId: v.string(),
    title: v.nullable(v.string()),
    kind: v.nullable(toolCallKind),
    status: v.nullable(named('ToolCallStatus', 'The state of a tool call.', v.picklist(toolCallStatuses))),
    locations: atMost(
      toolCallPartsMax,
      named(
        'ToolCallLocation',
        'A file that the tool reads or changes.',
        v.object({ path: v.string(), line: v.nullable(int) }),
      ),
    ),
    locationCount: v.pipe(
      int,
      v.description(`The number of all locations. \`locations\` has the first ${toolCallPartsMax}.`),
    ),
    content: atMost(toolCallPartsMax, toolCallContent),
    contentCount: v.pipe(
      int,
      v.description(`The number of all pieces. \`content\` has the first ${toolCallPartsMax}.`),
    ),
    rawInput: v.pipe(v.nullable(json), v.description('The input of the tool, in the form that the tool defines.')),
    rawOutput: v.pipe(v.nullable(json), v.description('The output of the tool, in the form that the tool defines.')),
  }),
)

export const runQuestion = named(
  'RunQuestion',
  'A question of the coding CLI to a person.',
  v.object({
    title: v.string(),
    toolCall: v.pipe(
      v.nullable(toolCallSchema),
      v.description(
        'The tool call for which the coding CLI asks permission. Null if the question is not about a tool call.',
      ),
    ),
    options: v.pipe(
      atMost(
        optionsMax,
        named(
          'PermissionOption',
          'A possible answer to a question.',
          v.object({
            optionId: v.string(),
            name: v.string(),
            kind: v.nullable(named('PermissionOptionKind', 'The effect of an option.', v.picklist(optionKinds))),
          }),
        ),
      ),
      v.description('The possible answers. Empty if the question is answered with a text.'),
    ),
  }),
)

export const runAnswerSchema = named(
  'RunAnswer',
  'The answer of a person to a question: one of its options, or a text.',
  v.object({ optionId: v.nullable(v.string()), text: v.nullable(v.string()) }),
)

export const runResult = named(
  'RunResult',
  'The report of a coding CLI, or the outputs of a command, at the end of a run.',
  v.object({
    text: v.pipe(v.nullable(v.string()), v.description('The end of the last message of the coding CLI.')),
    stopReason: v.pipe(
      v.nullable(v.string()),
      v.description('The reason why the coding CLI stopped, for example `end_turn`.'),
    ),
    conversationId: v.pipe(
      v.nullable(v.string()),
      v.description('The ID of the conversation in the coding CLI. A follow-up continues the conversation.'),
    ),
    usage: v.pipe(v.nullable(runUsage), v.description('Null if the coding CLI does not report it.')),
    outputs: v.pipe(
      atMost(outputsMax, namedValue),
      v.description(
        'The outputs of a command, in the order in which their names were first written. Empty for a coding CLI.',
      ),
    ),
  }),
)

const planEntry = named(
  'PlanEntry',
  'A task in the plan of a coding CLI.',
  v.object({
    content: v.string(),
    status: v.nullable(named('PlanEntryStatus', 'The state of a task.', v.picklist(planEntryStatuses))),
    priority: v.nullable(named('PlanEntryPriority', 'The priority of a task.', v.picklist(planEntryPriorities))),
  }),
)

export const runEventTypes = [
  'CONVERSATION',
  'MESSAGE',
  'THOUGHT',
  'TOOL_CALL',
  'TOOL_CALL_UPDATE',
  'PLAN',
  'PERMISSION_REQUEST',
  'PERMISSION_ANSWER',
  'TURN_END',
  'CHANGES',
  'CHANGES_DIFF',
  'SKILLS',
  'OTHER',
] as const

export const runEvent = named(
  'RunEvent',
  'A message or an action of the coding CLI of a run. The type decides which fields are set.',
  v.object({
    sequence: int,
    lastSequence: v.pipe(
      int,
      v.description(
        'The sequence of the last stored event that this event combines. `runEvents` joins the pieces of a message.',
      ),
    ),
    type: named(
      'RunEventType',
      'The type of an event. CHANGES, CHANGES_DIFF: the agent’s report of what the run changed, which `runChanges` returns. SKILLS: the agent’s report of the skills of the run, which `Run.skills` has. OTHER: a type that this version does not support.',
      v.picklist(runEventTypes),
    ),
    text: v.pipe(v.nullable(v.string()), v.description('The text of a MESSAGE or THOUGHT.')),
    content: v.pipe(
      v.nullable(json),
      v.description(
        'The content of a MESSAGE or THOUGHT that is not text, for example an image, in the format of the protocol.',
      ),
    ),
    toolCall: v.pipe(v.nullable(toolCallSchema), v.description('The tool call of a TOOL_CALL or TOOL_CALL_UPDATE.')),
    entries: v.pipe(
      atMost(planEntriesMax, planEntry),
      v.description('The tasks of a PLAN. The plan replaces the previous one.'),
    ),
    entryCount: v.pipe(int, v.description(`The number of all entries. \`entries\` has the first ${planEntriesMax}.`)),
    questionId: v.pipe(
      v.nullable(v.string()),
      v.description('The ID of the question of a PERMISSION_REQUEST or PERMISSION_ANSWER.'),
    ),
    question: v.pipe(v.nullable(runQuestion), v.description('The question of a PERMISSION_REQUEST.')),
    answer: v.pipe(
      v.nullable(runAnswerSchema),
      v.description('The answer of a PERMISSION_ANSWER. Null if the question was canceled.'),
    ),
    stopReason: v.pipe(v.nullable(v.string()), v.description('The reason why the coding CLI stopped, of a TURN_END.')),
    conversation: v.pipe(
      v.nullable(runConversation),
      v.description('The beginning of the conversation of a follow-up, of a CONVERSATION.'),
    ),
    isOmitted: v.pipe(
      v.boolean(),
      v.description(
        'Whether the data of the event alone is larger than `maxBytes`. Then only its type and size are returned.',
      ),
    ),
    bytes: v.pipe(int, v.description('The size of the event’s data as JSON, in bytes.')),
    at: dateTime,
  }),
)
