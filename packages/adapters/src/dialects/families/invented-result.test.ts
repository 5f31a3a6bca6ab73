import { describe, expect, it } from 'vitest'
import { cohere } from '../cohere.ts'
import { deepseekV3 } from '../deepseek-v3.ts'
import { deepseekV31 } from '../deepseek-v31.ts'
import { ernie45 } from '../ernie45.ts'
import { glm45 } from '../glm45.ts'
import { glm47 } from '../glm47.ts'
import { granite4 } from '../granite4.ts'
import { hermes } from '../hermes.ts'
import { hunyuanA13b } from '../hunyuan-a13b.ts'
import { kExaone2 } from '../k-exaone2.ts'
import { lfm2 } from '../lfm2.ts'
import { mistral } from '../mistral.ts'
import { nemotronJson } from '../nemotron-json.ts'
import { qwen3Coder } from '../qwen3-coder.ts'
import { step3 } from '../step3.ts'
import { step3p5 } from '../step3p5.ts'

const tags = ['<tool_response>', '</tool_response>'] as const
const outputs = ['<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>', '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>'] as const
const step = ['<｜tool_outputs_begin｜><｜tool_output_begin｜>', '<｜tool_output_end｜><｜tool_outputs_end｜>'] as const

const written = [
  [deepseekV3, ...outputs],
  [deepseekV3, '<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
  [step3, ...step],
  [cohere, '<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'],
  [mistral, '[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  [lfm2, '<|tool_response_start|>', '<|tool_response_end|>'],
  [hermes, ...tags],
  [granite4, ...tags],
  [hunyuanA13b, ...tags],
  [nemotronJson, '<TOOL_RESPONSE>', '</TOOL_RESPONSE>'],
  ...[qwen3Coder, ernie45, step3p5, kExaone2, glm45, glm47].map((dialect) => [dialect, ...tags] as const),
] as const

describe.each(written.map(([dialect, open, close]) => ({ name: dialect.name, dialect, open, close })))(
  'a result that $name makes up',
  ({ dialect, open, close }) => {
    const call = dialect.formatCall({ id: 'a', name: 'f', arguments: '{"a": "b"}' })

    it("isn't text, and what stands behind it is", () => {
      expect(dialect.parse(`Wait. ${open}{"temp": 20}${close} It is 20.`)).toEqual({ text: 'Wait.  It is 20.', toolCalls: [] })
      expect(dialect.parse(`${open}1${close}${open}2${close}`)).toEqual({ text: '', toolCalls: [] })
    })

    it('holds no call', () => {
      expect(call.ok && dialect.parse(`${open}${call.text}${close}`)).toEqual({ text: '', toolCalls: [] })
    })

    it('is read in any pieces', () => {
      const parser = dialect.streamParser()
      const deltas = [...`A ${open}x${close}B`].flatMap((unit) => [...parser.push(unit)])
      const text = [...deltas, ...parser.end()].map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
      expect(text).toBe('A B')
    })
  },
)

it('a tag that prose only names stays, since no end follows', () => {
  const text = 'Results stand in <tool_response> tags.'
  expect(hermes.parse(text)).toEqual({ text, toolCalls: [] })
})

it('DeepSeek V3.1 keeps the text of a result, as its server does', () => {
  expect(deepseekV31.parse(`A ${outputs[0]}x${outputs[1]} B`).text).toBe('A x B')
})
