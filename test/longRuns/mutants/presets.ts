/** Faults in presets: concurrent changes, the basis of a preview, and the content of exports. */
import type { Lookout, Mutant } from './mutant.ts'

const presets: Lookout = { file: 'test/gateway/tools/presets.test.ts' }
const imports: Lookout = { file: 'test/gateway/tools/presetImports.test.ts' }
const exports: Lookout = { file: 'test/gateway/tools/presetExports.test.ts' }
const properties: Lookout = { file: 'test/longRuns/props/presets.test.ts' }

export const presetFaults: readonly Mutant[] = [
  {
    name: 'import over a change',
    fault: 'The catalog imports over a preset that was changed since the review.',
    file: 'machines/tools/presetChanges.ts',
    search: '(before?.revision ?? null) !== replaces',
    replace: '(before?.revision ?? null) !== replaces && replaces === null',
    tests: [imports],
  },
  {
    name: 'two of one name',
    fault: 'Two presets of a kind have one name.',
    file: 'machines/tools/presetChanges.ts',
    search: 'if (other !== undefined) return nameTaken(preset, other)',
    replace: 'if (other === preset.name) return nameTaken(preset, other)',
    tests: [presets],
  },
  {
    name: 'legacy client drops tools',
    fault: 'A client that supports only toolNames removes the external tools from a preset.',
    file: 'machines/tools/presetChanges.ts',
    search: 'event.legacy === true ? notForLegacy(before) : undefined',
    replace: 'event.legacy === undefined ? undefined : undefined',
    tests: [presets],
  },
  {
    name: 'half an import',
    fault: 'The last preset of an import is left out.',
    file: 'gateway/operations/tools/presets/imports.ts',
    search: "const kept = presets.filter(({ action }) => action !== 'SKIP')",
    replace:
      "const kept = presets.filter(({ action }, index) => action !== 'SKIP' && (index === 0 || index < presets.length - 1))",
    tests: [properties],
  },
  {
    name: 'review of another state',
    fault: 'An import is executed although its plan has changed since the review.',
    file: 'gateway/operations/tools/presets/importToken.ts',
    search: 'first === undefined && rests === hashBasis(plan, context)',
    replace: 'first === undefined && rests !== ""',
    tests: [imports],
  },
  {
    name: 'token of another user',
    fault: 'A token is accepted from any user.',
    file: 'gateway/operations/tools/presets/importToken.ts',
    search: 'claims.by !== hashPrincipal(context)',
    replace: "claims.by === ''",
    tests: [imports],
  },
  {
    name: 'token without an end',
    fault: 'A token never expires.',
    file: 'gateway/operations/tools/presets/importToken.ts',
    search: 'context.now >= claims.until',
    replace: 'context.now >= Number.MAX_SAFE_INTEGER',
    tests: [imports],
  },
  {
    name: 'unsigned token',
    fault: 'The signature of a token is not checked.',
    file: 'gateway/secrets/signing.ts',
    search: "!timingSafeEqual(right, Buffer.from(given, 'base64url'))",
    replace: 'given.length !== 43',
    tests: [imports],
  },
  {
    name: 'replaced preset gets another ID',
    fault: 'REPLACE creates a new preset instead of changing the old one.',
    file: 'gateway/operations/tools/presets/imports.ts',
    search: 'presetId: target?.id ?? ids.newId',
    replace: 'presetId: ids.newId',
    tests: [properties],
  },
  {
    name: 'local ID in a document',
    fault: 'An export names servers by their local IDs.',
    file: 'gateway/operations/tools/presets/exports.ts',
    search: "serverKey: keys.get(tool.serverId) ?? ''",
    replace: "serverKey: keys.has(tool.serverId) ? tool.serverId.replace('_', '-') : ''",
    tests: [exports],
  },
]
