import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { dsymUploadInput } from '../../../../spec/apps/dsymUploadRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { System } from '../../../messages.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { requireKind } from '../../core/replies.ts'
import { wrongField } from '../../core/wrongField.ts'
import { findExisting, originOf } from '../../executeMutation.ts'
import type { RequestContext } from '../../requestContext.ts'
import { findIndexed } from './findIndexed.ts'

export interface DsymUploadCreation {
  readonly system: Pick<System, 'ask'>
  readonly room: Pick<DiskRoom, 'requireForNew'>
  readonly limits: Pick<Limits, 'uploadBytes'>
}

/** @throws Failure BAD_USER_INPUT, CONFLICT, PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE */
export async function createDsymUpload(
  { filename, size, sha256 }: v.InferOutput<typeof dsymUploadInput>,
  request: HttpRequest,
  context: RequestContext<'views' | 'ids'>,
  { system, room, limits }: DsymUploadCreation,
): Promise<TypedRow<'dsymUpload'>> {
  const { views, ids, principal, now } = context
  if (size > limits.uploadBytes)
    throw new Failure('PAYLOAD_TOO_LARGE', `size: must be at most ${limits.uploadBytes} bytes`, {
      details: { field: 'size', limit: limits.uploadBytes },
    })
  const requestKey = requestKeyOf(request, principalName(principal))
  const known = requestKey === null ? undefined : await views.findByKey('dsymUpload', requestKey)
  if (known !== undefined) return requireSame(known, size, sha256)
  const indexed = await findIndexed(sha256, views)
  if (indexed === undefined) await room.requireForNew(size)
  const create = {
    name: filename,
    size,
    sha256,
    duplicateOf: indexed?.id ?? null,
    ...(indexed === undefined ? {} : { dsymIds: indexed.dsymIds }),
    requestKey,
    createdBy: principalName(principal),
    createdAt: now,
  }
  const to = { kind: 'dsymUpload', id: ids.newId('dsymUpload') } as const
  const orExisting = requestKey === null ? {} : { orExisting: { uniqueKey: requestKey } }
  const envelope = { to, event: { type: 'create' }, create, ...orExisting }
  const asked = system.ask(envelope, originOf(undefined, context))
  const reply = await asked.catch((error) => findExisting(envelope, error, context))
  return requireSame(requireKind('dsymUpload', reply.row), size, sha256)
}

function requestKeyOf({ headers }: HttpRequest, caller: string): string | null {
  const key = headers.get('idempotency-key')
  if (key === undefined) return null
  if (key.length === 0 || key.length > 255) throw wrongField('Idempotency-Key', 'must have 1 to 255 characters')
  return `${caller}|${key}`
}

/** @throws Failure CONFLICT */
function requireSame(row: TypedRow<'dsymUpload'>, size: number, sha256: string): TypedRow<'dsymUpload'> {
  if (row.init.size === size && row.init.sha256 === sha256) return row
  throw new Failure(
    'CONFLICT',
    'An upload of another file has this Idempotency-Key. Use a key of its own for each file.',
    { details: { field: 'Idempotency-Key', id: row.id } },
  )
}
