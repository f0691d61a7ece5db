/** The most attachments of one run. */
export const attachmentsMax = 10
