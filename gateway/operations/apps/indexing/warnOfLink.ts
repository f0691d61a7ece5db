import type { DsymUploadWarning } from '../../../../spec/apps/dsymUploads.ts'
import { printable } from '../../core/printable.ts'

/** A path in a zip has up to 64 KiB, and any characters. */
const mostPath = 255
const extension = '.dSYM'

/** @param path of a link in a dSYM */
export const warnOfLink = (path: string): DsymUploadWarning => ({
  code: 'LINK_IGNORED',
  bundle: printable(path.slice(0, path.indexOf(extension) + extension.length), mostPath),
  message: `${printable(path, mostPath)} is a link. Its file must be in the zip itself.`,
})
