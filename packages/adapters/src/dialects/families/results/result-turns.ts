/**
 * The markers with which chat templates start and end the turn of a tool or a user. A model that doesn't stop writes such a turn
 * itself.
 */
import type { BlockDefinition } from '../../define/definition.ts'
import { loose, type Marker, textsOf } from '../../engine/marker.ts'
import { inventedResult } from './invented-result.ts'

/**
 * Returns a block that removes the ends of the model's own turn, and the turns that open with `start` and one of the roles, with and
 * without such an end before them. After a turn, it also removes `start` with `own`, the role of the model, and the empty line after it.
 */
function turns(close: Marker, start: string, own: string, ...roles: readonly string[]): BlockDefinition {
  const ends = textsOf(close) as readonly string[]
  const openings = ['', ...ends].flatMap((end) => roles.map((role) => loose(`${end} ${start} ${role}`.trim())))
  return inventedResult({ open: [...ends, ...openings], close, next: ['', '\n\n'].map((space) => start + own + space) })
}

/** The markers of Qwen and related models, OLMo, InternLM and LFM2. */
export const CHATML_RESULT = turns(
  '<|im_end|>',
  '<|im_start|>',
  'assistant\n',
  'tool',
  'environment',
  'user <tool_response>',
  'user',
)

/** The markers of Llama 3 and models derived from it. */
export const LLAMA3_RESULT = turns(
  ['<|eot_id|>', '<|eom_id|>'],
  '<|start_header_id|>',
  'assistant<|end_header_id|>',
  'ipython',
  'tool',
  'user',
)

export const LLAMA4_RESULT = turns(
  ['<|eot|>', '<|eom|>'],
  '<|header_start|>',
  'assistant<|header_end|>',
  'ipython',
  'tool',
  'user',
)

export const GRANITE_RESULT = turns('<|end_of_text|>', '<|start_of_role|>', 'assistant<|end_of_role|>', 'tool', 'user')

export const PHI_RESULT = turns('<|end|>', '<|', 'assistant|>', 'tool_response|>', 'tool|>', 'user|>')

export const JAMBA_RESULT = turns('<|eom|>', '<|bom|><|', 'assistant|>', 'tool|>', 'user|>')

export const GLM_RESULT = inventedResult({ open: ['<|observation|>', '<|user|>'], close: ['<|assistant|>', '<|user|>'] })

export const KIMI_RESULT = turns('<|im_end|>', '<|im_', 'assistant|>assistant<|im_middle|>', 'system|>tool', 'user|>')

export const SEED_RESULT = turns('<seed:eos>', '<seed:bos>', 'assistant\n', 'tool', 'user')

export const MINIMAX_RESULT = turns('[e~[', ']~b]', 'ai\n', 'tool', 'user')

export const MINIMAX_M1_RESULT = turns('<end_of_sentence>', '<beginning_of_sentence>', 'ai name=MiniMax AI\n', 'tool', 'user')

export const COHERE_RESULT = turns(
  '<|END_OF_TURN_TOKEN|>',
  '<|START_OF_TURN_TOKEN|><|',
  'CHATBOT_TOKEN|>',
  'SYSTEM_TOKEN|>',
  'USER',
)

const HUNYUAN_ENDS = ['<|eos|>', '<｜hy_place▁holder▁no▁2｜>', '<｜hy_EOT｜>', '<｜hy_eos:opensource｜>']

/** Returns a block for the ends of the model's own turn, and for the turn of a user, which also contains tool results. */
function hunyuanTurns(user: string): BlockDefinition {
  const openings = ['', ...HUNYUAN_ENDS].map((end) => loose(`${end} ${user}`.trim()))
  return inventedResult({ open: [...HUNYUAN_ENDS, ...openings], close: HUNYUAN_ENDS })
}

export const HUNYUAN_RESULT = hunyuanTurns('<｜hy_User')

const HUNYUAN_A13B_TURNS = hunyuanTurns('<|startoftext|>')

/** The token that opens a user's turn is also the first one of a text, so it opens no turn at the start of a response. */
export const HUNYUAN_A13B_RESULT: BlockDefinition = {
  ...HUNYUAN_A13B_TURNS,
  *read(context) {
    const { opener, hasText, hasReasoning, calls } = context
    const isFirst = !hasText && !hasReasoning && calls.ended === 0 && opener === '<|startoftext|>' && !context.isQuoted()
    return isFirst ? 'read' : yield* HUNYUAN_A13B_TURNS.read(context)
  },
}

export const APRIEL_RESULT = turns(
  ['<|end|>', '<|begin_assistant|>'],
  '<|',
  'assistant|>',
  'begin_tool_result|>',
  'begin_user|>',
  'user|>',
)

export const NEMOTRON_RESULT = turns(
  ['<SPECIAL_12>', '<SPECIAL_11>Assistant'],
  '<SPECIAL_11>',
  'Assistant',
  'User <TOOL_RESPONSE>',
  'User',
)

/** The markers of Ernie models that don't reason. The others write those of Qwen. */
export const ERNIE_RESULT = inventedResult({
  open: ['<|end_of_sentence|>', loose('<|end_of_sentence|> User:')],
  close: '<|end_of_sentence|>',
})
