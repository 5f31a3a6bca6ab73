import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as all from './all.ts'
import type { Dialect } from './define/dialect.ts'
import { dialectFor } from './dialect-for.ts'

const dialects: readonly Dialect[] = Object.values(all)

/** Returns the names that a pattern matches as a whole, ignoring its lookaheads and the boundary before it. */
function namesOf(pattern: RegExp): readonly string[] {
  const whole = new RegExp(`^(?:${pattern.source.replace(/\(\?[!=](?:[^()]|\([^()]*\))*\)|\(\?:\^\|-\)/g, '')})$`)
  const names = fc.sample(fc.stringMatching(whole), 100).map((name) => name.replace(/[^a-z0-9.]+/g, '-'))
  return [...new Set(names)].filter((name) => pattern.test(name))
}

const patterns = dialects.flatMap((dialect) =>
  (['models', 'tunes'] as const).flatMap((key) => (dialect[key] ?? []).map((pattern) => ({ dialect, key, pattern }))),
)

describe('dialectFor', () => {
  it.each(patterns)('finds $dialect.name by the names in its $key, which no other dialect matches: $pattern', (one) => {
    const names = namesOf(one.pattern)
    expect(names).not.toEqual([])
    for (const name of names) {
      expect([name, dialectFor(name)?.name]).toEqual([name, one.dialect.name])
      const others = patterns.filter(({ key, dialect }) => key === one.key && dialect !== one.dialect)
      expect(others.filter(({ pattern }) => pattern.test(name))).toEqual([])
    }
  })

  it.each([
    ['Qwen/Qwen3-8B', 'hermes'],
    ['qwen3:8b', 'hermes'],
    ['Qwen/Qwen2.5-7B-Instruct', 'hermes'],
    ['Qwen/QwQ-32B', 'hermes'],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3_coder'],
    ['qwen3-coder:30b', 'qwen3_coder'],
    ['Qwen/Qwen3.5-35B-A3B', 'qwen3_coder'],
    ['Qwen/Qwen3-Next-80B-A3B-Instruct', 'qwen3_coder'],
    ['NousResearch/Hermes-3-Llama-3.1-8B', 'hermes'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'llama3_json'],
    ['llama3.1:8b', 'llama3_json'],
    ['meta-llama/Llama-3.2-3B-Instruct', 'pythonic'],
    ['meta-llama/Llama-4-Scout-17B-16E-Instruct', 'llama4_pythonic'],
    ['Salesforce/Llama-xLAM-2-8b-fc-r', 'xlam'],
    ['mistralai/Mistral-Small-3.2-24B-Instruct-2506', 'mistral'],
    ['mistralai/Devstral-Small-2507', 'mistral'],
    ['deepseek-ai/DeepSeek-V3-0324', 'deepseek_v3'],
    ['deepseek-ai/DeepSeek-V3.1-Terminus', 'deepseek_v31'],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek_v32'],
    ['openai/gpt-oss-20b', 'harmony'],
    ['gpt-oss:20b', 'harmony'],
    ['moonshotai/Kimi-K2-Instruct', 'kimi_k2'],
    ['zai-org/GLM-4.6', 'glm45'],
    ['zai-org/GLM-4.7', 'glm47'],
    ['MiniMaxAI/MiniMax-M2.1', 'minimax_m2'],
    ['google/functiongemma-270m-it', 'functiongemma'],
    ['ibm-granite/granite-3.3-8b-instruct', 'granite'],
    ['ibm-granite/granite-4.0-h-small', 'granite4'],
    ['ibm-granite/granite-20b-functioncalling', 'granite_20b_fc'],
    ['LiquidAI/LFM2-8B-A1B', 'lfm2'],
    ['allenai/Olmo-3-7B-Instruct', 'olmo3'],
    ['microsoft/Phi-4-mini-instruct', 'phi4mini'],
    ['ByteDance-Seed/Seed-OSS-36B-Instruct', 'seed_oss'],
    ['stepfun-ai/Step-3.5-Flash', 'step3p5'],
    ['stepfun-ai/step3', 'step3'],
    ['google/gemma-4-E4B-it', 'gemma4'],
    ['gemma4:12b', 'gemma4'],
    ['granite3.3:8b', 'granite'],
    ['hermes3:8b', 'hermes'],
    ['NousResearch/Hermes-2-Pro-Mistral-7B', 'hermes'],
    ['CohereForAI/c4ai-command-r7b-12-2024', 'cohere'],
    ['tencent/Hunyuan-A13B-Instruct', 'hunyuan_a13b'],
    ['deepseek-ai/DeepSeek-R1-0528', 'deepseek_v3'],
    ['moonshotai/Kimi-K2.5', 'kimi_k2'],
    ['mistral:7b', 'mistral'],
  ])('recognizes the published name %s', (model, dialect) => {
    expect(dialectFor(model)?.name).toBe(dialect)
  })

  it.each(['', 'gpt-4o', 'my-own-model', '🙂', 'qwen', 'a'.repeat(100_000)])('returns undefined for %.40s', (model) => {
    expect(dialectFor(model)).toBeUndefined()
  })

  it.each([
    'google/medgemma-4b-it',
    'google/gemma-4b-it',
    'ibm-granite/granite-34b-code-instruct-8k',
    'ibm-granite/granite-3b-code-instruct-128k',
    'deepcogito/cogito-v1-preview-llama-8B',
    'tencent/Hunyuan-4B-Instruct',
    'hunyuan-30b',
    'DeepSeek-V3.5',
    'LGAI-EXAONE/K-EXAONE-236B-A23B',
    'internlm/internlm-20b',
    'CohereForAI/c4ai-aya-expanse-8b',
    'qwen3.55',
    'BioMistral/BioMistral-7B',
  ])("doesn't confuse a size, a later version or another model with a known one: %s", (model) => {
    expect(dialectFor(model)).toBeUndefined()
  })

  it.each([
    'Qwen/Qwen3-Embedding-8B',
    'Qwen/Qwen3-Reranker-4B',
    'Qwen/Qwen3Guard-Gen-8B',
    'meta-llama/Llama-Guard-3.1-8B',
    'ibm-granite/granite-guardian-3.3-8b',
    'Qwen/Qwen3-8B-Base',
    'deepseek-ai/DeepSeek-V3.1-Base',
    'baidu/ERNIE-4.5-21B-A3B-Base-PT',
    'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B',
    'deepseek-ai/DeepSeek-R1-0528-Qwen3-8B',
    'mistralai/Mistral-7B-Instruct-v0.2',
    'teknium/OpenHermes-2.5-Mistral-7B',
    'microsoft/Phi-4-mini-reasoning',
  ])("returns undefined for a model that wasn't trained to call tools: %s", (model) => {
    expect(dialectFor(model)).toBeUndefined()
  })
})
