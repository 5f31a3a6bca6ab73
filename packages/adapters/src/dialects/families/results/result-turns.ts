/**
 * The markers with which chat templates start and end the turn of a tool or a user. A model that doesn't stop writes such a turn
 * itself.
 */
import { loose, type Marker } from '../../engine/marker.ts'
import { inventedResult } from './invented-result.ts'

/** Returns the end of the model's own turn, and the markers that open another turn, with and without that end before them. */
function turns(end: string, ...openings: readonly string[]): Marker {
  return [end, ...openings.flatMap((open) => [loose(open), loose(`${end} ${open}`)])]
}

/** The markers of Qwen and related models, OLMo, InternLM and LFM2. */
export const CHATML_RESULT = inventedResult({
  open: turns(
    '<|im_end|>',
    '<|im_start|>tool',
    '<|im_start|>environment',
    '<|im_start|>user <tool_response>',
    '<|im_start|>user',
  ),
  close: '<|im_end|>',
  next: '<|im_start|>assistant\n',
})

/** The markers of Llama 3 and models derived from it. */
export const LLAMA3_RESULT = inventedResult({
  open: ['<|eot_id|>', '<|eom_id|>'].flatMap((end) =>
    turns(
      end,
      '<|start_header_id|> ipython <|end_header_id|>',
      '<|start_header_id|> tool <|end_header_id|>',
      '<|start_header_id|> user',
    ),
  ),
  close: ['<|eot_id|>', '<|eom_id|>'],
  next: ['', '\n\n'].map((space) => `<|start_header_id|>assistant<|end_header_id|>${space}`),
})

export const LLAMA4_RESULT = inventedResult({
  open: ['<|eot|>', '<|eom|>'].flatMap((end) =>
    turns(end, '<|header_start|> ipython <|header_end|>', '<|header_start|> tool <|header_end|>', '<|header_start|> user'),
  ),
  close: ['<|eot|>', '<|eom|>'],
  next: ['', '\n\n'].map((space) => `<|header_start|>assistant<|header_end|>${space}`),
})

export const GRANITE_RESULT = inventedResult({
  open: turns(
    '<|end_of_text|>',
    '<|start_of_role|>tool_response<|end_of_role|>',
    '<|start_of_role|>tool<|end_of_role|>',
    '<|start_of_role|>user',
  ),
  close: '<|end_of_text|>',
  next: '<|start_of_role|>assistant<|end_of_role|>',
})

export const PHI_RESULT = inventedResult({
  open: turns('<|end|>', '<|tool_response|>', '<|tool|>', '<|user|>'),
  close: '<|end|>',
  next: '<|assistant|>',
})

export const JAMBA_RESULT = inventedResult({
  open: turns('<|eom|>', '<|bom|><|tool|>', '<|bom|><|user|>'),
  close: '<|eom|>',
  next: '<|bom|><|assistant|>',
})

export const GLM_RESULT = inventedResult({ open: ['<|observation|>', '<|user|>'], close: ['<|assistant|>', '<|user|>'] })

export const KIMI_RESULT = inventedResult({
  open: turns('<|im_end|>', '<|im_system|>tool<|im_middle|>', '<|im_user|>'),
  close: '<|im_end|>',
  next: '<|im_assistant|>assistant<|im_middle|>',
})

export const SEED_RESULT = inventedResult({
  open: turns('<seed:eos>', '<seed:bos>tool', '<seed:bos>user'),
  close: '<seed:eos>',
  next: '<seed:bos>assistant\n',
})

export const MINIMAX_RESULT = inventedResult({ open: turns('[e~[', ']~b]tool', ']~b]user'), close: '[e~[', next: ']~b]ai\n' })

export const MINIMAX_M1_RESULT = inventedResult({
  open: turns('<end_of_sentence>', '<beginning_of_sentence>tool', '<beginning_of_sentence>user'),
  close: '<end_of_sentence>',
  next: '<beginning_of_sentence>ai name=MiniMax AI\n',
})
