/** The attached files of a run in the form in which its CLI takes them. */
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk'
import type { AttachedFile } from '../jobs/attachments.ts'

/** Larger images and texts, in bytes, are given as links. The CLI sends the others to its model in whole. */
const imageBytes = 5 * 1024 * 1024
const textBytes = 256 * 1024

const imageType = /^image\/(png|jpeg|gif|webp)$/
const textType = /^(text\/.*|application\/(json|xml|yaml|toml|javascript|sql|x-sh|.*\+(json|xml)))$/

export async function attachmentBlocks(
  files: readonly AttachedFile[],
  capabilities: PromptCapabilities | undefined,
): Promise<ContentBlock[]> {
  return await Promise.all(files.map((file) => toBlock(file, capabilities)))
}

async function toBlock(
  { path, name, contentType: mimeType, size }: AttachedFile,
  capabilities: PromptCapabilities | undefined,
): Promise<ContentBlock> {
  const uri = pathToFileURL(path).href
  if (capabilities?.image && imageType.test(mimeType) && size <= imageBytes)
    return { type: 'image', mimeType, uri, data: await readFile(path, 'base64') }
  if (capabilities?.embeddedContext && textType.test(mimeType) && size <= textBytes)
    return { type: 'resource', resource: { uri, mimeType, text: await readFile(path, 'utf8') } }
  // Every CLI must support links.
  return { type: 'resource_link', uri, name, mimeType, size }
}
