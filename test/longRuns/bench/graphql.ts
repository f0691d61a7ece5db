/**
 * The processor time of the parts of GraphQL that are written by hand, beside that of libraries: preparing a document once, or with
 * envelop's hooks at each request; and executing a query by compiled functions, or by graphql-js. The contenders take turns in one
 * process, without network or database. The query is `agents` with 50 agents.
 */
import { parseArgs } from 'node:util'
import { envelop, useEngine, useSchema } from '@envelop/core'
import { type DocumentNode, execute, subscribe } from 'graphql'
import { Compiler } from '../../../gateway/graphql/compile.ts'
import type { GraphqlContext } from '../../../gateway/graphql/contextValue.ts'
import { CostMeter } from '../../../gateway/graphql/limits/cost.ts'
import { listBounds } from '../../../gateway/graphql/limits/listBounds.ts'
import { createPipeline } from '../../../gateway/graphql/pipeline/pipeline.ts'
import { createParser, createValidator } from '../../../gateway/graphql/pipeline/validation.ts'
import { type PreparationMeter, Preparer } from '../../../gateway/graphql/prepare.ts'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
const text = '{ agents { id name hostname connectionStatus lastSeenAt } }'
const turns = 20
/** The plugins that would act at each request: bounds, access, cost, errors and metrics. */
const requestPlugins = 5

const catalog = { operations, objectTypes }
const schema = buildCatalogSchema(catalog, undefined as never)
const agents = Array.from({ length: 50 }, (_, n) => ({
  id: `agt_${String(n).padStart(26, '0')}`,
  name: `agent-${n}`,
  hostname: `host-${n}.example`,
  connectionStatus: 'CONNECTED',
  lastSeenAt: new Date(n * 1_000).toISOString(),
}))
const field = schema.getQueryType()?.getFields().agents
if (field === undefined) throw new Error('There is no query `agents`.')
field.resolve = () => agents

const limits = defaultLimits
const meter = new CostMeter(schema, operations, listBounds(catalog))
const preparer = new Preparer(
  createPipeline({ schema, operations, limits, meter, isOpen: true }),
  limits.operationTextBytes,
)
const free: PreparationMeter = { begin: () => {}, accepted: () => {}, refused: () => {} }
const parameters = { query: text, documentId: undefined, operationName: undefined, variables: undefined }
const prepared = preparer.prepare(parameters, free)
const compiler = new Compiler(schema)

const parsed = new Map<string, DocumentNode>()
const start = envelop({
  plugins: [
    useEngine({ parse: createParser(limits), validate: createValidator(true), execute: () => undefined, subscribe }),
    useSchema(schema),
    {
      onParse({ params, setParsedDocument }) {
        const known = parsed.get(params.source)
        if (known) setParsedDocument(known)
        return ({ result }) => parsed.set(params.source, result)
      },
      onValidate: ({ setResult }) => setResult([]),
    },
    ...Array.from({ length: requestPlugins }, () => ({
      onValidate: () => () => {},
      onExecute: () => ({ onExecuteDone: () => {} }),
    })),
  ],
})

interface Contender {
  readonly part: string
  readonly by: string
  once(): unknown
}

const contenders: readonly Contender[] = [
  { part: 'preparing', by: 'signalbox: once, then found', once: () => preparer.prepare(parameters, free) },
  {
    part: 'preparing',
    by: 'envelop at each request',
    once: async () => {
      const { parse, validate, contextFactory, execute: run } = start({})
      const document = parse(text)
      validate(schema, document)
      return await run({ schema, document, contextValue: await contextFactory() })
    },
  },
  {
    part: 'executing',
    by: 'signalbox: compiled',
    once: async () => await compiler.answer(prepared, undefined, {} as GraphqlContext),
  },
  {
    part: 'executing',
    by: 'graphql-js',
    once: async () => JSON.stringify(await execute({ schema, document: prepared.document })),
  },
]

/** Microseconds of the processor for each call. */
async function measure({ once }: Contender, ms: number): Promise<number> {
  const begun = process.cpuUsage()
  const end = performance.now() + ms
  let calls = 0
  while (performance.now() < end)
    for (let n = 0; n < 100; n++) {
      await once()
      calls++
    }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / calls
}

printMachine()
const turnMs = (Number(values.seconds) * 1_000) / turns / contenders.length
const micros = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]))
for (const contender of contenders) await measure(contender, turnMs)
for (let turn = 0; turn < turns; turn++)
  for (const [contender, measured] of micros) measured.push(await measure(contender, turnMs))

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
printTable(
  contenders.map((contender) => {
    const own = median(micros.get(contender) ?? [])
    const [first] = contenders.filter(({ part }) => part === contender.part)
    const least = median((first && micros.get(first)) ?? [])
    return { part: contender.part, by: contender.by, 'µs CPU': own, 'first ×': own / least, 'more µs': own - least }
  }),
)
