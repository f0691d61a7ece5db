import { attachmentRoutes } from '../../../../spec/runs/attachmentRoutes.ts'
import { bearer, type Sent } from './call.ts'
import { with_ } from './callers.ts'
import type { Cases, Lead } from './caseForm.ts'
import { startRunWith } from './runCases.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { uploadRunAttachment, listRunAttachments, getRunAttachment, getAttachmentOfOwnRun } = attachmentRoutes

const contentType = { 'content-type': 'multipart/form-data; boundary=xyz' }
const formOf = (content: string) =>
  `--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--xyz--\r\n`

/** With the session of a user. */
async function uploadBy(stage: TroubledGateways, content = 'hello'): Promise<Sent> {
  const { headers } = await with_(stage, {})
  return { headers: { ...headers, ...contentType }, body: formOf(content) }
}

async function stored(stage: TroubledGateways): Promise<{ readonly id: string; readonly caller: Sent }> {
  const sent = await uploadBy(stage)
  const { body } = await stage.call(uploadRunAttachment, sent)
  return { id: (body as { id: string }).id, caller: { headers: { authorization: sent.headers?.authorization ?? '' } } }
}

async function file(stage: TroubledGateways, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const { id, caller } = await stored(stage)
  return { params: { id }, headers: { ...caller.headers, ...headers } }
}

/** The attachment of a run, with the credential of the run's agent, which this process has cached. */
async function ownFile(stage: TroubledGateways, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const { id } = await stored(stage)
  const token = await startRunWith(stage, { attachmentIds: [id] })
  const sent = { params: { id }, headers: { ...bearer(token), ...headers } }
  await stage.call(getAttachmentOfOwnRun, sent)
  return sent
}

const downloads = (lead: typeof file): Readonly<Record<string, Lead>> => ({
  '206': (stage) => lead(stage, { range: 'bytes=1-2' }),
  '400 BAD_USER_INPUT': async (stage) => ({ ...(await lead(stage)), params: { id: 'x' } }),
  '404 NOT_FOUND': async (stage) => ({ ...(await lead(stage)), params: { id: stage.world.newId('runAttachment') } }),
  '416 RANGE_NOT_SATISFIABLE': (stage) => lead(stage, { range: 'bytes=5-' }),
})

export const attachmentCases: readonly Cases[] = [
  {
    route: uploadRunAttachment,
    right: (stage) => uploadBy(stage),
    own: {
      '408 BAD_USER_INPUT': (stage) => stage.slowBody(uploadRunAttachment, { headers: contentType }),
      '413 PAYLOAD_TOO_LARGE': (stage) => uploadBy(stage, ' '.repeat(65_537)),
      '413 PAYLOAD_TOO_LARGE for the declared length': (stage) => uploadBy(stage, ' '.repeat(100_000)),
      '507 INSUFFICIENT_STORAGE': async (stage) => {
        const sent = await uploadBy(stage)
        stage.world.blobs.free = 0
        try {
          return await stage.call(uploadRunAttachment, sent)
        } finally {
          stage.world.blobs.free = Number.POSITIVE_INFINITY
        }
      },
    },
  },
  {
    route: listRunAttachments,
    right: async (stage) => (await stored(stage)).caller,
    own: {
      '400 BAD_USER_INPUT': (stage) => with_(stage, { query: '?runId=x' }),
      '404 NOT_FOUND': (stage) => with_(stage, { query: `?runId=${stage.world.newId('run')}` }),
    },
  },
  { route: getRunAttachment, right: (stage) => file(stage), own: downloads(file) },
  {
    route: getAttachmentOfOwnRun,
    right: (stage) => ownFile(stage),
    own: {
      ...downloads(ownFile),
      '403 FORBIDDEN of another agent': async (stage) => ({
        ...(await ownFile(stage)),
        headers: bearer((await stage.world.agent()).token),
      }),
    },
  },
]
