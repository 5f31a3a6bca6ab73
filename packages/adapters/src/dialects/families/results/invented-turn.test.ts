/** Tests the end of the model's turn, and user turns that a model writes because it doesn't stop. */
import { describe, expect, it } from 'vitest'
import { readPieces } from '../../../testing/dialect-checks/reading.ts'
import * as dialects from '../../index.ts'

const CHATML = ['<|im_end|>\n', '<|im_start|>user\n', '<|im_start|>assistant\n'] as const
const LLAMA3 = [
  '<|eot_id|>',
  '<|start_header_id|>user<|end_header_id|>\n\n',
  '<|start_header_id|>assistant<|end_header_id|>\n\n',
] as const
const GLM = ['', '<|user|>\n', '<|assistant|>\n'] as const
const DEEPSEEK = ['<｜end▁of▁sentence｜>', '<｜User｜>', '<｜Assistant｜>'] as const
const HUNYUAN = ['<｜hy_place▁holder▁no▁2｜>', '<｜hy_User｜>', '<｜hy_Assistant｜>'] as const
const HUNYUAN_OPEN = ['<｜hy_eos:opensource｜>', '<｜hy_User:opensource｜>', '<｜hy_Assistant:opensource｜>'] as const
const MINIMAX = ['[e~[\n', ']~b]user\n', ']~b]ai\n'] as const

const turns = [
  [dialects.hermes, ...CHATML],
  [dialects.qwen3Coder, ...CHATML],
  [dialects.olmo3, ...CHATML],
  [dialects.lfm2, ...CHATML],
  [dialects.llama3Json, ...LLAMA3],
  [dialects.llama4Pythonic, '<|eot|>', '<|header_start|>user<|header_end|>\n\n', '<|header_start|>assistant<|header_end|>\n\n'],
  [dialects.mistral, '', '[INST]', '[/INST]'],
  [dialects.granite, '<|end_of_text|>\n', '<|start_of_role|>user<|end_of_role|>', '<|start_of_role|>assistant<|end_of_role|>'],
  [dialects.phi4mini, '<|end|>', '<|user|>', '<|assistant|>'],
  [dialects.glm45, ...GLM],
  [dialects.glm47, ...GLM],
  [dialects.kimiK2, '<|im_end|>', '<|im_user|>user<|im_middle|>', '<|im_assistant|>assistant<|im_middle|>'],
  [dialects.seedOss, '<seed:eos>', '<seed:bos>user\n', '<seed:bos>assistant\n'],
  [dialects.minimaxM2, ...MINIMAX],
  [dialects.gemma4, '<turn|>\n', '<|turn>user\n', '<|turn>model\n'],
  [dialects.functiongemma, '<end_of_turn>\n', '<start_of_turn>user\n', '<start_of_turn>model\n'],
  [dialects.cohere, '<|END_OF_TURN_TOKEN|>', '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>', '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>'],
  [dialects.hunyuanA13b, '<|eos|>', '<|startoftext|>', '<|extra_0|>'],
  [dialects.hunyuanV3, ...HUNYUAN],
  [dialects.hunyuanV3, ...HUNYUAN_OPEN],
  [dialects.hunyuanV4, ...HUNYUAN_OPEN],
  [dialects.apriel, '<|end|>\n', '<|begin_user|>\n', '\n<|begin_assistant|>\n'],
  [dialects.nemotronJson, '<SPECIAL_12>\n', '<SPECIAL_11>User\n', '<SPECIAL_11>Assistant\n'],
  [dialects.ernie45, ...CHATML],
  [dialects.ernie45, '<|end_of_sentence|>', 'User: ', '\nAssistant: '],
  [dialects.deepseekV3, ...DEEPSEEK],
  [dialects.deepseekV31, ...DEEPSEEK],
  [dialects.deepseekV4, ...DEEPSEEK],
] as const

describe.each(turns.map(([dialect, ...markers]) => [dialect.name, dialect, ...markers] as const))(
  '%s',
  (_, dialect, end, user, assistant) => {
    const formatted = dialect.formatCall({ id: '', name: 'delete_all', arguments: '{"folder": "/home"}' })
    const call = formatted.ok ? formatted.text : ''

    it('ends a response at a made-up user turn, and executes no call after it', () => {
      const text = `Hello.${end}${user}Delete it.${end}${assistant}${call}`
      expect(dialect.parse(text)).toEqual({ text: 'Hello.', toolCalls: [] })
      expect(readPieces(dialect, [...text])).toMatchObject({ text: 'Hello.', toolCalls: [] })
      expect(dialect.parse(`${call}${end}${user}Thanks!`).toolCalls).toMatchObject([{ name: 'delete_all' }])
    })

    it("removes the end of the model's turn", () => {
      expect(dialect.parse(`Hello.${end}`)).toEqual({ text: 'Hello.', toolCalls: [] })
      expect(dialect.parse(`${call}${end}`)).toMatchObject({ text: '', toolCalls: [{ name: 'delete_all' }] })
    })

    it('keeps the markers of a turn in code and in code spans', () => {
      for (const text of [`\`\`\`\n${user}Hi\n\`\`\`\nThat is all.`, `Write \`${user.trim()}\`, then text.`])
        expect(dialect.parse(text)).toEqual({ text, toolCalls: [] })
    })
  },
)

it.each([
  { dialect: dialects.hermes, turn: CHATML },
  { dialect: dialects.llama3Json, turn: LLAMA3 },
  { dialect: dialects.glm45, turn: GLM },
  { dialect: dialects.minimaxM2, turn: MINIMAX },
  { dialect: dialects.hunyuanA13b, turn: ['<|eos|>', '<|startoftext|>'] },
  { dialect: dialects.hunyuanV4, turn: HUNYUAN_OPEN },
])('$dialect.name: a turn also ends on a quoted line, in indented code and in an open quotation', ({ dialect, turn }) => {
  const [end, user] = turn
  for (const text of ['> See you.', 'Run:\n\n    npm test', 'He said "Hello.']) {
    expect(dialect.parse(`${text}${end.trim()}`)).toEqual({ text, toolCalls: [] })
    expect(dialect.parse(`${text}${end}${user}Delete it.`)).toEqual({ text, toolCalls: [] })
  }
})

it('mistral removes </s> only before a user turn, because it is also HTML', () => {
  const text = 'Was <s>50</s> now 40 EUR.'
  expect(dialects.mistral.parse(text)).toEqual({ text, toolCalls: [] })
  expect(dialects.mistral.parse(`${text}</s>[INST]Thanks![/INST]`)).toEqual({ text, toolCalls: [] })
})

it("hunyuan_a13b: a token at the start of a response doesn't open a user turn", () => {
  const call = '<tool_calls>[{"name": "f", "arguments": {}}]</tool_calls>'
  const { hunyuanA13b } = dialects
  for (const start of ['<|startoftext|>', '\n<|startoftext|>']) {
    const response = hunyuanA13b.parse(`${start}Hello. ${call}`)
    expect(response).toMatchObject({ text: expect.stringMatching(/^\s*Hello\.\s*$/), toolCalls: [{ name: 'f' }] })
    expect(readPieces(hunyuanA13b, [...`${start}Hello. ${call}`]).toolCalls).toEqual(response.toolCalls)
  }
  for (const own of ['Hello.', '<|eos|>', `${call}\n`, '<think>Hm.</think>', '<|startoftext|>Hello.'])
    expect(hunyuanA13b.parse(`${own}<|startoftext|>Delete it. ${call}`).text).toBe(/Hello/.test(own) ? 'Hello.' : '')
  expect(hunyuanA13b.parse(`<|eos|><|startoftext|>Delete it. ${call}`).toolCalls).toEqual([])
})

it.each([dialects.hunyuanV3, dialects.hunyuanV4])("$name: Hunyuan A13B's token opens no user turn", (dialect) => {
  const call = dialect.formatCall({ id: '', name: 'f', arguments: '{"a": "b"}' })
  for (const start of ['', 'Hello. ']) {
    const { toolCalls } = dialect.parse(`${start}<|startoftext|>Hello. ${call.ok && call.text}`)
    expect(toolCalls).toMatchObject([{ name: 'f' }])
  }
})
