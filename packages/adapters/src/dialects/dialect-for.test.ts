import { describe, expect, it } from 'vitest'
import { dialectFor } from './dialect-for.ts'

describe('dialectFor', () => {
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
  ])('knows %s', (model, dialect) => {
    expect(dialectFor(model)?.name).toBe(dialect)
  })

  it.each(['', 'gpt-4o', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', 'my-own-model', '🙂', 'qwen', 'a'.repeat(100_000)])(
    'says nothing of %.40s',
    (model) => {
      expect(dialectFor(model)).toBeUndefined()
    },
  )
})
