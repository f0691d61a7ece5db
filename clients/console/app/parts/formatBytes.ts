import { bytesFormatOf } from '../../../../spec/messages/formatBytes.ts'
import { locale } from '../messages.ts'

/** Memory, disk space and sizes of files: `12.3 GB`. */
export const formatBytes = bytesFormatOf(locale)
