/**
 * The mode and the model of a session. CLIs offer them in two forms: as `configOptions` (of the category `mode` or `model`), and in older
 * versions of the protocol as `modes` and `models`. The response to load or resume may have neither.
 */
import { type ClientContext, methods, type SessionConfigSelect } from '@agentclientprotocol/sdk'
import type { AiSpec } from '../jobs/spec.ts'
import { describeRpcError } from './rpcError.ts'
import { TurnRefused } from './turnRefused.ts'

interface Choice {
  readonly id: string
  readonly name: string
}

/** An option of a session with its values. */
interface Option {
  readonly choices: readonly Choice[]
  set(id: string): Promise<unknown>
}

interface Offered {
  readonly modes?: { readonly availableModes: readonly Choice[] } | null
  readonly models?: { readonly availableModels: readonly { modelId: string; name: string }[] } | null
  readonly configOptions?:
    | readonly (SessionConfigSelect & { id: string; category?: string | null; type: string })[]
    | null
}

/** Not part of the protocol any more, but of all CLIs that have no `configOptions`. */
const setModel = 'session/set_model'

/** @throws TurnRefused MODE_UNAVAILABLE, MODEL_UNAVAILABLE if the CLI does not offer what the run requires */
export async function setOptions(
  spec: AiSpec,
  agent: ClientContext,
  sessionId: string,
  answer: unknown,
): Promise<void> {
  const offered = (answer ?? {}) as Offered
  const modes = optionOf('mode', offered, agent, sessionId) ?? {
    choices: offered.modes?.availableModes ?? [],
    set: (modeId) => agent.request(methods.agent.session.setMode, { sessionId, modeId }),
  }
  if (spec.mode === 'PLAN') {
    // ACP has no standard for planning only. CLIs that support it offer a mode with a name that begins with “plan”.
    const plan = modes.choices.find(({ id, name }) => /^plan/i.test(id) || /^plan/i.test(name))
    if (plan) await modes.set(plan.id)
  } else if (spec.cliMode !== undefined) await choose('MODE_UNAVAILABLE', spec.cliMode, modes)
  if (spec.model === undefined) return
  const models = optionOf('model', offered, agent, sessionId) ?? {
    choices: (offered.models?.availableModels ?? []).map(({ modelId: id, name }) => ({ id, name })),
    set: (modelId) => agent.request(setModel, { sessionId, modelId }),
  }
  await choose('MODEL_UNAVAILABLE', spec.model, models)
}

function optionOf(category: string, offered: Offered, agent: ClientContext, sessionId: string): Option | undefined {
  const option = offered.configOptions?.find((one) => one.category === category && one.type === 'select')
  if (!option) return undefined
  const choices = option.options
    .flatMap((one) => ('options' in one ? one.options : [one]))
    .map(({ value, name }) => ({ id: value, name }))
  return {
    choices,
    set: (value) => agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value }),
  }
}

const shown = { MODE_UNAVAILABLE: 'mode', MODEL_UNAVAILABLE: 'model' } as const

/** A CLI that offers nothing, for example after it has loaded a session, is asked for the wanted value all the same. */
async function choose(code: keyof typeof shown, wanted: string, { choices, set }: Option): Promise<void> {
  const isWanted = (text: string) => text.toLowerCase() === wanted.toLowerCase()
  const found =
    choices.find(({ id }) => id === wanted) ?? choices.find(({ id, name }) => isWanted(id) || isWanted(name))
  const noun = shown[code]
  if (!found && choices.length > 0) {
    const offered = choices.map(({ id }) => id).join(', ')
    throw new TurnRefused(code, `The coding CLI does not offer the ${noun} “${wanted}”. It offers: ${offered}.`)
  }
  try {
    await set(found?.id ?? wanted)
  } catch (error) {
    throw new TurnRefused(code, `The coding CLI did not accept the ${noun} “${wanted}”: ${describeRpcError(error)}`)
  }
}
