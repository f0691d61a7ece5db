/** The token usage that coding CLIs report, in the forms in which they do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { UsageMeter } from '../../../clients/agent/acp/usage.ts'

const chunk = (usage: object): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: '' },
  _meta: { usage },
})
const cost = (amount: number): SessionUpdate => ({
  ...{ sessionUpdate: 'usage_update', used: 1, size: 2 },
  cost: { amount, currency: 'USD' },
})
const response = (more: object = {}): PromptResponse => ({ stopReason: 'end_turn', ...more })

test('usage after each reply is added up, also that of a prompt that was not answered', () => {
  const meter = new UsageMeter()
  meter.begin()
  meter.update(chunk({ inputTokens: 5, outputTokens: 1, cachedReadTokens: 2 }), false)
  meter.update(chunk({ inputTokens: 6, outputTokens: 1 }), false)
  meter.answer(response())
  meter.update(chunk({ inputTokens: 7, outputTokens: 1 }), false)
  assert.deepEqual(meter.total, { inputTokens: 18, outputTokens: 3, cachedInputTokens: 2, cost: null })
})

test('the usage in the response to a prompt is the sum of its replies and is not added to them', () => {
  const meter = new UsageMeter()
  meter.update(chunk({ inputTokens: 5, outputTokens: 1 }), false)
  meter.answer(response({ usage: { inputTokens: 9, outputTokens: 2, totalTokens: 11 } }))
  meter.answer(response({ _meta: { quota: { token_count: { input_tokens: 1, output_tokens: 1 } } } }))
  assert.deepEqual(meter.total, { inputTokens: 10, outputTokens: 3, cachedInputTokens: null, cost: null })
})

test('a repeated conversation counts neither its tokens nor its cost', () => {
  const meter = new UsageMeter()
  meter.update(chunk({ inputTokens: 5, outputTokens: 1 }), true)
  meter.update(cost(2), true)
  meter.begin()
  meter.update(cost(2.5), false)
  assert.deepEqual(meter.total, {
    ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: null },
    cost: { amount: 0.5, currency: 'USD' },
  })
})

test('a CLI that reports nothing, or something else, has no usage', () => {
  const meter = new UsageMeter()
  meter.update(chunk({ inputTokens: -5, outputTokens: 'many' }), false)
  meter.answer(response({ _meta: { quota: 7 }, usage: null }))
  assert.equal(meter.total, undefined)
})
