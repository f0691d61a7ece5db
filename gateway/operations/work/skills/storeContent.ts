import { createHash } from 'node:crypto'
import type { CheckedSkill } from '../../../../spec/work/skills/checkSkill.ts'
import { packSkill, type SkillArchiveFile, unpackSkill } from '../../../../spec/work/skills/skillArchive.ts'
import type { SkillContent } from '../../../../spec/work/skills/skillVersion.ts'
import type { RequestContext } from '../../requestContext.ts'

const pieceBytes = 512 * 1024

/**
 * Stores the bytes of a version durably, before the version exists. If the request then fails, the bytes belong to no actor, and the database
 * deletes them after a day.
 */
export async function storeContent(
  { name, description, files }: CheckedSkill,
  { ids, contentStore }: RequestContext<'ids' | 'contentStore'>,
): Promise<SkillContent> {
  const archive = packSkill(files)
  const contentId = ids.newId('skillContent')
  for (let number = 0; number * pieceBytes < archive.length; number += 1)
    await contentStore.keep(contentId, number, archive.subarray(number * pieceBytes, (number + 1) * pieceBytes))
  const entries = unpackSkill(archive).map(({ path, bytes, executable }) => ({
    ...{ path, executable, size: bytes.length },
    sha256: hash(bytes),
  }))
  return {
    ...{ name, description, contentId, files: entries },
    sha256: hash(archive),
    archiveSize: archive.length,
    size: entries.reduce((sum, { size }) => sum + size, 0),
  }
}

/** @throws RangeError if the stored bytes are damaged */
export async function readContent(
  { contentId }: Pick<SkillContent, 'contentId'>,
  { contents }: Pick<RequestContext, 'contents'>,
): Promise<readonly SkillArchiveFile[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of contents.read(contentId)) pieces.push(piece)
  return unpackSkill(Buffer.concat(pieces))
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
