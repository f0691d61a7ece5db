/** Upload and download of run attachments. */
import * as v from 'valibot'
import { id, idOf, text } from '../core/types.ts'
import { beyondEnd, fileAnswers, fileRequestHeaders } from '../rest/fileDownload.ts'
import { badInput } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'
import { storedAttachment } from './attachments.ts'

const params = v.object({ id: idOf('runAttachment') })

const download = {
  method: 'GET',
  tag: 'Run attachments',
  params,
  requestHeaders: fileRequestHeaders,
  answers: fileAnswers(),
} as const

export const attachmentRoutes = {
  uploadRunAttachment: restRoute({
    name: 'uploadRunAttachment',
    method: 'POST',
    path: '/api/run-attachments',
    tag: 'Run attachments',
    summary: 'Upload a file for a run',
    description:
      'The body has exactly one part, the file, in the field `file`. Of its file name the last component is stored. If no run gets ' +
      'the file within 24 hours, it expires.',
    access: 'sessions',
    rawBody: {
      limit: 'attachmentBytes',
      mediaType: 'multipart/form-data',
      description: 'One file in the field `file`. It may be empty.',
    },
    answers: { 201: { description: 'The file is durably stored.', body: storedAttachment } },
    refusals: [
      badInput,
      {
        code: 'INSUFFICIENT_STORAGE',
        extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
      },
    ],
  }),
  listRunAttachments: restRoute({
    name: 'listRunAttachments',
    method: 'GET',
    path: '/api/run-attachments',
    tag: 'Run attachments',
    summary: 'List the attachments of a run',
    description:
      'Returns the attachments of a run, at most 10, in the order of the request that created the run. Without `runId`, it returns ' +
      'the files that the caller has uploaded and that no run has got yet, newest first, at most 100 at a time.',
    access: 'sessions',
    query: v.strictObject({
      runId: v.pipe(v.optional(idOf('run')), v.description('The ID of a run.')),
      after: v.pipe(
        v.optional(text({ min: 1, max: 200 })),
        v.description('Without `runId`: continues after a page. It is the `nextCursor` of that page.'),
      ),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'The attachments.',
        body: v.object({
          attachments: v.array(storedAttachment),
          nextCursor: v.pipe(
            v.nullable(v.string()),
            v.description('Continues the list as `after`. Null if there are no more.'),
          ),
        }),
      },
    },
    refusals: [{ code: 'NOT_FOUND', extras: { id } }],
  }),
  getRunAttachment: restRoute({
    ...download,
    name: 'getRunAttachment',
    path: '/api/run-attachments/{id}',
    summary: 'Download an attachment',
    access: 'sessions',
    refusals: ['NOT_FOUND', beyondEnd],
  }),
  getAttachmentOfOwnRun: restRoute({
    ...download,
    name: 'getAttachmentOfOwnRun',
    path: '/api/agent/run-attachments/{id}',
    summary: 'Download an attachment of an own run',
    description:
      'For the agent that executes a run with this attachment, and for the run itself, until the run has ended. Others are refused ' +
      'with `403 FORBIDDEN`.',
    access: 'ownRuns',
    refusals: ['NOT_FOUND', beyondEnd],
  }),
} as const
