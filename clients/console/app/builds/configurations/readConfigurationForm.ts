/** Converts the form of a build configuration to its content. */

import { coverageFormats } from '../../../../../spec/builds/buildEnums.ts'
import { FieldReader, readNamedValues } from '../../parts/forms/fieldReader.ts'
import type { ConfigurationInput } from './configuration.ts'

export function readConfigurationForm(formData: FormData): ConfigurationInput {
  const fields = new FieldReader(formData)
  const list = (name: string, separator: string) =>
    fields
      .lines(name)
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return {
    name: fields.text('name'),
    description: fields.text('description'),
    steps: fields.rows('steps').map((prefix) => ({
      name: fields.text(`${prefix}.name`),
      command: fields.lines(`${prefix}.command`),
    })),
    environment: [...readNamedValues(fields, 'environment')],
    artifacts: list('artifacts', '\n'),
    destinations: fields.rows('destinations').map((prefix) => ({
      name: fields.text(`${prefix}.name`),
      command: fields.lines(`${prefix}.command`),
      artifact: fields.text(`${prefix}.artifact`) || null,
    })),
    coverageReports: fields.rows('coverageReports', 'pattern').map((prefix) => ({
      format: coverageFormats.find((one) => one === fields.text(`${prefix}.format`)) ?? 'LCOV',
      pattern: fields.text(`${prefix}.pattern`),
    })),
    signingAssets: fields.all('signingAsset'),
    signingForRuns: fields.text('signingForRuns') === 'true',
    onPush: readOnPush(list('onPush.branches', ','), fields.text('onPush.worktreeId')),
    requirements: {
      platforms: list('requirements.platforms', ','),
      architectures: list('requirements.architectures', ','),
      tools: list('requirements.tools', ','),
      tags: list('requirements.tags', ','),
    },
    ...fields.number('artifactRetentionDays'),
    ...fields.number('timeoutSeconds'),
  }
}

/** Null without branches: no push is built. */
function readOnPush(branches: string[], worktreeId: string) {
  return branches.length === 0 ? null : { branches, worktreeId }
}
