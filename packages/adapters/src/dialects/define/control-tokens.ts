/**
 * Control tokens of chat templates, by model family. They mark roles, tools and results. Each is spelled exactly as in the
 * tokenizer's vocabulary. Reasoning markers aren't included, because they don't start a role and users may write about them. In
 * tool results, a dialect also escapes its own markers. Each family has an export, so that a bundle contains only the ones it needs.
 */

/**
 * Returns the tokens for a list of words: `<|x|>` for `|x`, `<｜x▁y｜>` for `!x~y`, and `<x>` and `</x>` for `/x`. Any other word is a
 * token itself.
 */
function tokens(words: string): readonly string[] {
  return words.split(' ').flatMap((word) => {
    const name = word.slice(1)
    if (word.startsWith('/')) return [`<${name}>`, `</${name}>`]
    if (word.startsWith('!')) return `<｜${name.replaceAll('~', '▁')}｜>`
    return word.startsWith('|') ? `<${word}|>` : word
  })
}

const CHATML = '|im_start |im_end |endoftext'
const LLAMA2 = '/s [INST] [/INST] <<SYS>> <</SYS>>'
const CALL_TAGS = '/tool_call /tool_response'
const ROLE_BARS = '|system |user |assistant'

const ARGUMENT_TAGS = '/arg_key /arg_value'
const HUNYUAN_TAGS = `/tool_calls /tool_responses <tool_sep> ${CALL_TAGS} ${ARGUMENT_TAGS}`

const KIMI = `[BOS] [EOS] [EOT] |im_system |im_user |im_assistant |im_middle |im_end \
|tool_calls_section_begin |tool_calls_section_end |tool_call_section_begin |tool_call_section_end \
|tool_call_begin |tool_call_argument_begin |tool_call_end \
|media_begin |media_content |media_end |media_pad`

const GEMMA = '<bos> <eos> <start_of_turn> <end_of_turn> <start_of_image> <end_of_image> <image_soft_token>'

export const apriel: readonly string[] = [
  ...tokens(
    `${LLAMA2} ${ROLE_BARS} |begin_system |begin_user |begin_assistant |begin_content |begin_tool_result |end /tool_calls`,
  ),
  ...['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]'],
]
export const chatml = tokens(CHATML)
export const cohere = tokens(
  `<BOS_TOKEN> <EOS_TOKEN> |START_OF_TURN_TOKEN |END_OF_TURN_TOKEN |SYSTEM_TOKEN |USER_TOKEN |CHATBOT_TOKEN \
|START_RESPONSE |END_RESPONSE |START_TEXT |END_TEXT |START_THINKING |END_THINKING |START_ACTION |END_ACTION \
|START_TOOL_RESULT |END_TOOL_RESULT`,
)
export const deepseek: readonly string[] = [
  ...tokens(
    `!begin~of~sentence !end~of~sentence !System !User !Assistant \
!tool~calls~begin !tool~calls~end !tool~call~begin !tool~call~end !tool~sep \
!tool~outputs~begin !tool~outputs~end !tool~output~begin !tool~output~end`,
  ),
  '｜DSML｜',
]
export const ernie = tokens(`${CHATML} ${CALL_TAGS} |begin_of_sentence |end_of_sentence /s /response`)
export const exaone = tokens(
  `[BOS] [|system|] [|user|] [|assistant|] [|tool|] [|endofturn|] ${ROLE_BARS} |tool |endofturn ${CALL_TAGS}`,
)
export const functiongemma = tokens(
  `${GEMMA} <start_function_declaration> <end_function_declaration> <start_function_call> <end_function_call> \
<start_function_response> <end_function_response> <escape>`,
)
export const gemma = tokens(GEMMA)
export const gemma4 = tokens(
  `<bos> <eos> <|turn> <turn|> <|tool> <tool|> <|tool_call> <tool_call|> <|"|> <|tool_response> <tool_response|> \
<|channel> <channel|> |think <|image> <image|> |image <|audio> <audio|> |audio`,
)
export const glm = tokens(
  `[gMASK] <sop> ${ROLE_BARS} |observation |endoftext ${CALL_TAGS} ${ARGUMENT_TAGS} |begin_of_image |end_of_image |image`,
)
export const granite = tokens(`|start_of_role |end_of_role |end_of_text |endoftext |tool_call <function_call> ${CALL_TAGS}`)
export const harmony = tokens('|start |end |message |channel |constrain |call |return |startoftext |endoftext |endofprompt')
export const hunyuan: readonly string[] = [
  ...tokens(
    `|startoftext |endoftext |eos |extra_0 |extra_4 |extra_5 !hy_begin~of~sentence !hy_User !hy_Assistant !hy_EOT \
!hy_place~holder~no~2 !hy_place~holder~no~3 !hy_place~holder~no~8 ${HUNYUAN_TAGS}`,
  ),
  // Newer models add a suffix.
  ...tokens(`!hy_begin_of_sentence !hy_User !hy_Assistant !hy_eos !reasoning_mode ${HUNYUAN_TAGS}`).map((token) =>
    token.replace(/｜?>/, ':opensource$&'),
  ),
]
export const internlm = tokens(`${CHATML} /s |action_start |action_end |plugin |interpreter`)
export const jamba = tokens(`|startoftext |endoftext |bom |eom ${ROLE_BARS} |tool /tool_calls /tool_definitions`)
export const kimi = tokens(KIMI)
export const kimi_k3 = tokens(`${KIMI} |open |close |sep |end_of_msg`)
export const lfm2 = tokens(
  `${CHATML} |startoftext |tool_list_start |tool_list_end |tool_call_start |tool_call_end |tool_response_start |tool_response_end`,
)
export const llama3 = tokens('|begin_of_text |end_of_text |start_header_id |end_header_id |eot_id |eom_id |python_tag |image')
export const llama4 = tokens(
  '|begin_of_text |end_of_text |header_start |header_end |eot |eom |step |python_start |python_end |image_start |image_end |image',
)
export const minimax = tokens(
  '<beginning_of_sentence> <end_of_sentence> /tool_calls /minimax:tool_call ]~!b[ ]~b] [e~[ ]!p~[ ]!d~[ ]<]minimax[>[',
)
export const mistral = tokens(
  `${LLAMA2} [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] [/TOOL_CALLS] \
[TOOL_RESULTS] [/TOOL_RESULTS] [ARGS] [CALL_ID] [TOOL_CONTENT] [IMG] [IMG_BREAK] [IMG_END]`,
)
export const nemotron = tokens('<SPECIAL_10> <SPECIAL_11> <SPECIAL_12> /s /AVAILABLE_TOOLS /TOOLCALL /TOOL_RESPONSE')
export const olmo = tokens(`${CHATML} /functions /function_calls`)
export const phi = tokens(
  `${ROLE_BARS} |end |endoftext |im_start |im_sep |im_end |tool |/tool |tool_call |/tool_call |tool_response |/tool_response`,
)
export const qwen = tokens(`${CHATML} ${CALL_TAGS} |vision_start |vision_end |vision_pad |image_pad |video_pad`)
export const seed = tokens('<seed:bos> <seed:eos> <seed:pad> /seed:tool_call <seed:cot_budget_reflect>')
export const step = tokens(
  `${CHATML} |BOT |EOT !BOT !EOT !begin~of~sentence !end~of~sentence ${CALL_TAGS} \
!tool_calls_begin !tool_calls_end !tool_call_begin !tool_call_end !tool_sep \
!tool_outputs_begin !tool_outputs_end !tool_output_begin !tool_output_end`,
)
